/** The entity sets of a company: their properties and types. */

export interface SetProperty {
  readonly name: string
  /** A primitive OData type (`Int64`, `String`, `Decimal`), the name of an enum, or a nested type with `[]`. */
  readonly type: string
  readonly maxLength?: number
}

export interface UnicontaEntitySet {
  readonly name: string
  readonly key: readonly string[]
  readonly properties: SetProperty[]
}

export const enums: Readonly<Record<string, readonly string[]>> = {
  Country: ['Denmark', 'Norway', 'Sweden', 'Germany'],
  VatZone: ['Domestic', 'EU', 'Abroad'],
  AccountType: ['Header', 'Revenue', 'CostOfGoodsSold', 'Expense', 'Bank', 'Inventory', 'Debtor', 'Creditor', 'Vat'],
  MovementType: ['Debtor', 'Creditor', 'Adjustment'],
}

/** Types of nested rows. The sample company has no such property until a test defines one. */
export const nestedTypes: Readonly<Record<string, readonly SetProperty[]>> = {
  PriceTier: [
    { name: 'Qty', type: 'Decimal' },
    { name: 'Price', type: 'Decimal' },
  ],
}

const types: Readonly<Record<string, string>> = {
  long: 'Int64',
  int: 'Int32',
  money: 'Decimal',
  rate: 'Double',
  at: 'DateTime',
  flag: 'Boolean',
  blob: 'Binary',
}

const dimensions = 'Dimension1:text20 Dimension2:text20 Dimension3:text20 Dimension4:text20 Dimension5:text20'

/**
 * `Name:type` by set; the key is before the bar. A set named after another with `User` adds the customer's own
 * fields.
 */
const setDefinitions: Readonly<Record<string, string>> = {
  CompanyClient:
    'PrimaryKeyId | PrimaryKeyId:long CompanyName:text60 Email:text60 ScanMail:text60 Currency:text3 Logo:blob',
  GLAccountClient:
    'RowId | RowId:long Account:text20 Name:text60 AccountType:AccountType Vat:text10 IsBlocked:flag Balance:money',
  GLVatClient: 'Vat | Vat:text10 Name:text60 Rate:rate',
  GLDailyJournalPostedClient: 'JournalPostedId | JournalPostedId:long Journal:text20 Posted:at NumberOfLines:int',
  GLTransClient: `PrimaryKeyId | PrimaryKeyId:long Date:at Account:text20 AccountType:AccountType Voucher:long Text:text120 Amount:money AmountCur:money Currency:text3 Vat:text10 Qty:rate JournalPostedId:long ${dimensions}`,
  GLTransSumClient: `Date,Account,Dimension1 | Date:at Account:text20 Name:text60 Amount:money Debit:money Credit:money Dimension1:text20`,
  PaymentTermClient: 'Payment | Payment:text10 Name:text60 Days:int',
  DebtorGroupClient: 'Group | Group:text10 Name:text60',
  CreditorGroupClient: 'Group | Group:text10 Name:text60',
  DebtorClient:
    'RowId | RowId:long Account:text20 Group:text10 Name:text60 Address1:text60 Address2:text60 ZipCode:text10 City:text60 Country:Country Phone:text30 ContactEmail:text60 CompanyRegNo:text20 Currency:text3 Payment:text10 Vat:text10 VatZone:VatZone CreditMax:money Created:at Note:text',
  CreditorClient:
    'RowId | RowId:long Account:text20 Group:text10 Name:text60 Address1:text60 ZipCode:text10 City:text60 Country:Country Currency:text3 Payment:text10 Created:at',
  DebtorTransClient:
    'PrimaryKeyId | PrimaryKeyId:long Account:text20 Date:at Voucher:long InvoiceNumber:long Text:text120 Amount:money DueDate:at JournalPostedId:long',
  CreditorTransClient:
    'PrimaryKeyId | PrimaryKeyId:long Account:text20 Date:at Voucher:long InvoiceNumber:text30 Text:text120 Amount:money DueDate:at JournalPostedId:long',
  DebtorTransOpenClient: 'RowId | RowId:long Account:text20 InvoiceNumber:long AmountOpen:money DueDate:at',
  InvGroupClient: 'Group | Group:text10 Name:text60',
  InvWarehouseClient: 'Warehouse | Warehouse:text10 Name:text60',
  InvItemClient:
    'RowId | RowId:long Item:text20 Name:text60 Group:text10 SalesPrice1:money CostPrice:money EAN:text20 Weight:rate Unit:text10 Blocked:flag Image:blob',
  InvItemStorageClient:
    'Item,Variant1,Variant2,Warehouse,Location | Item:text20 Variant1:text20 Variant2:text20 Warehouse:text10 Location:text10 Qty:rate QtyReserved:rate',
  InvTransClient:
    'PrimaryKeyId | PrimaryKeyId:long Item:text20 Date:at Qty:rate CostValue:money MovementType:MovementType Voucher:long InvoiceNumber:long JournalPostedId:long',
  DebtorOrderClient:
    'OrderNumber | OrderNumber:long Account:text20 Created:at DeliveryDate:at OurRef:text60 OrderTotal:money',
  DebtorOrderLineClient:
    'OrderNumber,LineNumber | OrderNumber:long LineNumber:rate Item:text20 Text:text120 Qty:rate Price:money Total:money',
  DebtorInvoiceClient: `PrimaryKeyId | PrimaryKeyId:long Account:text20 Name:text60 InvoiceNumber:long OrderNumber:long Date:at DueDate:at Payment:text10 NetAmount:money VatAmount:money TotalAmount:money Vat:text10 Currency:text3 ExchangeRate:rate CostValue:money Margin:money MarginRatio:rate Voucher:long JournalPostedId:long DeliveryCountry:Country SendTime:at ${dimensions}`,
  DebtorInvoiceLines:
    'PrimaryKeyId | PrimaryKeyId:long InvoiceNumber:long LineNumber:rate Date:at Account:text20 Item:text20 Text:text120 Qty:rate Price:money NetAmount:money CostValue:money',
  CreditorInvoiceClient:
    'PrimaryKeyId | PrimaryKeyId:long Account:text20 Name:text60 InvoiceNumber:text30 Date:at DueDate:at NetAmount:money VatAmount:money TotalAmount:money Voucher:long JournalPostedId:long',
  EmployeeClient: 'Number | Number:text20 Name:text60 Email:text60 Hired:at',
  UserNotesClient: ' | KeyStr:text20 Text:text Created:at',
}

const own: Readonly<Record<string, readonly string[]>> = {
  DebtorClient: ['Region:text30 LoyaltyPoints:int AnnualTarget:money', 'Region:text30 Sector:text40'],
  InvItemClient: ['Shelf:text20 Organic:flag', ''],
}

/** @param place index of the company within the login; each has its own custom fields */
export function entitySets(place: number): Map<string, UnicontaEntitySet> {
  const sets = Object.entries(setDefinitions).map(([name, text]): UnicontaEntitySet => {
    const [key = '', properties = ''] = text.split('|')
    const names = key.trim() === '' ? [] : key.trim().split(',')
    return { name, key: names, properties: parseProperties(properties) }
  })
  const withOwn = sets.flatMap((set) => {
    const fields = own[set.name]?.[place] ?? ''
    if (fields === '') return [set]
    return [set, { ...set, name: `${set.name}User`, properties: [...set.properties, ...parseProperties(fields)] }]
  })
  return new Map(withOwn.map((set) => [set.name, set]))
}

function parseProperties(text: string): SetProperty[] {
  return text
    .trim()
    .split(/\s+/)
    .map((word) => {
      const [name = '', type = ''] = word.split(':')
      if (!type.startsWith('text')) return { name, type: types[type] ?? type }
      return type === 'text' ? { name, type: 'String' } : { name, type: 'String', maxLength: Number(type.slice(4)) }
    })
}
