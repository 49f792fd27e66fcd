"""The headings of exports, as the systems that write them have them, and headings that are nearly those."""

EXPORTS = {
    "coupa_order_lines": [
        "id,order-header-id,line-number,description,price,quantity,total,currency,supplier,created-at,uom",
        "order-header-id,line-number,description,price,quantity,total,currency,received,status",
    ],
    "xero_bills": [
        "*ContactName,EmailAddress,POAddressLine1,POCity,*InvoiceNumber,*InvoiceDate,*DueDate,InventoryItemCode,"
        "*Description,*Quantity,*UnitAmount,*AccountCode,*TaxType,TrackingName1,TrackingOption1,Currency",
    ],
    "quickbooks_general_ledger": [
        ",Date,Transaction Type,Num,Name,Memo/Description,Split,Amount,Balance",
    ],
    "microsoft_365_licences": [
        "Product Title,Total Licenses,Expired Licenses,Assigned licenses,Status Message",
        "Product Title,Total Licenses,Expired Licenses,Assigned licenses,Renewal Date",
    ],
    "focus_contract_commitments": [
        "BillingCurrency,ContractCommitmentCategory,ContractCommitmentCost,ContractCommitmentDescription,"
        "ContractCommitmentId,ContractCommitmentPeriodEnd,ContractCommitmentPeriodStart,"
        "ContractCommitmentQuantity,ContractCommitmentType,ContractCommitmentUnit,ContractId,ContractPeriodEnd,"
        "ContractPeriodStart",
    ],
    "parley_agreements": [
        "id,name,supplierName,status,currency,termStart,termEnd,renewalType,autoRenewalTermMonths,noticePeriod,"
        "totalValue,annualizedValue,owners,tags",
    ],
}
NEARLY = [
    # Invoices to customers, which Xero writes under the same headings.
    "*ContactName,EmailAddress,*InvoiceNumber,Reference,*InvoiceDate,*DueDate,*Description,*Quantity,*UnitAmount,"
    "Discount,*AccountCode,*TaxType,Currency,BrandingTheme",
    "ContactName,InvoiceNumber,InvoiceDate,Description,Quantity,UnitAmount",
    "order-header-id,line-num,description,price,quantity,total,currency",
    "Date,Transaction Type,Num,Name,Memo,Split,Amount,Balance",
    "Product Title,Total Licenses,Assigned licenses",
    "name,supplier,term_start,term_end,renewal_type,total_value,currency",
    "ContractCommitmentId,ContractId,BillingCurrency",
    "ContractCommitmentIds,ContractCommitmentPeriodStart,ContractCommitmentPeriodEnd,ContractId,BillingCurrency",
    "",
]
