"""E-documents for tests."""

UBL = b"""<?xml version="1.0"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
 xmlns:a="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
 xmlns:b="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
<b:ID>7</b:ID><b:IssueDate>2025-03-04</b:IssueDate><b:DocumentCurrencyCode>EUR</b:DocumentCurrencyCode>
<a:AccountingSupplierParty><a:Party><a:PartyName><b:Name>Example BV</b:Name></a:PartyName></a:Party>
</a:AccountingSupplierParty>
<a:TaxTotal><b:TaxAmount currencyID="EUR">21.00</b:TaxAmount></a:TaxTotal>
<a:LegalMonetaryTotal><b:TaxExclusiveAmount currencyID="EUR">100.00</b:TaxExclusiveAmount>
<b:TaxInclusiveAmount currencyID="EUR">121.00</b:TaxInclusiveAmount></a:LegalMonetaryTotal>
<a:InvoiceLine><b:InvoicedQuantity unitCode="C62">4</b:InvoicedQuantity>
<b:LineExtensionAmount currencyID="EUR">100.00</b:LineExtensionAmount>
<a:Item><b:Name>Editor seat</b:Name></a:Item>
<a:Price><b:PriceAmount currencyID="EUR">25.00</b:PriceAmount></a:Price>
</a:InvoiceLine></Invoice>"""

CII = b"""<?xml version="1.0"?>
<r:CrossIndustryInvoice xmlns:r="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
 xmlns:a="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"
 xmlns:u="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
<r:ExchangedDocument><a:ID>7</a:ID><a:TypeCode>380</a:TypeCode>
<a:IssueDateTime><u:DateTimeString format="102">20250304</u:DateTimeString></a:IssueDateTime>
</r:ExchangedDocument>
<r:SupplyChainTradeTransaction>
<a:IncludedSupplyChainTradeLineItem>
<a:SpecifiedTradeProduct><a:SellerAssignedID>ED-1</a:SellerAssignedID><a:Name>Editor seat</a:Name>
</a:SpecifiedTradeProduct>
<a:SpecifiedLineTradeAgreement>
<a:GrossPriceProductTradePrice><a:ChargeAmount>30.00</a:ChargeAmount></a:GrossPriceProductTradePrice>
<a:NetPriceProductTradePrice><a:ChargeAmount>25.00</a:ChargeAmount></a:NetPriceProductTradePrice>
</a:SpecifiedLineTradeAgreement>
<a:SpecifiedLineTradeDelivery><a:BilledQuantity unitCode="C62">4</a:BilledQuantity>
</a:SpecifiedLineTradeDelivery>
<a:SpecifiedLineTradeSettlement><a:SpecifiedTradeSettlementLineMonetarySummation>
<a:LineTotalAmount>100.00</a:LineTotalAmount></a:SpecifiedTradeSettlementLineMonetarySummation>
</a:SpecifiedLineTradeSettlement>
</a:IncludedSupplyChainTradeLineItem>
<a:IncludedSupplyChainTradeLineItem><a:SpecifiedTradeProduct><a:Name>A note</a:Name></a:SpecifiedTradeProduct>
</a:IncludedSupplyChainTradeLineItem>
<a:ApplicableHeaderTradeAgreement><a:SellerTradeParty><a:Name>Beispiel GmbH</a:Name></a:SellerTradeParty>
<a:BuyerTradeParty><a:Name>Sample plc</a:Name></a:BuyerTradeParty></a:ApplicableHeaderTradeAgreement>
<a:ApplicableHeaderTradeSettlement><a:InvoiceCurrencyCode>EUR</a:InvoiceCurrencyCode>
<a:SpecifiedTradeSettlementHeaderMonetarySummation><a:TaxBasisTotalAmount>100.00</a:TaxBasisTotalAmount>
<a:TaxTotalAmount currencyID="EUR">19.00</a:TaxTotalAmount><a:GrandTotalAmount>119.00</a:GrandTotalAmount>
</a:SpecifiedTradeSettlementHeaderMonetarySummation></a:ApplicableHeaderTradeSettlement>
</r:SupplyChainTradeTransaction></r:CrossIndustryInvoice>"""
