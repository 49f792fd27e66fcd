"""E-documents: UBL, and the cross-industry XML that hybrid PDFs carry."""
