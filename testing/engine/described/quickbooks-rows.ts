/** The rows that the target of a QuickBooks connector must have, computed from the simulator's records and not from the description. */
import { type Entity, entities, type QuickBooksCompany } from '@tributary/sims/quickbooks/company'

type Row = Readonly<Record<string, unknown>>
type JsonRecord = Readonly<Record<string, unknown>>

export function quickBooksRows(company: QuickBooksCompany): ReadonlyMap<string, readonly Row[]> {
  const rows = new Map<string, readonly Row[]>()
  for (const entity of entities) {
    const table = snake(entity)
    rows.set(table, company.all(entity).map(rowOf))
    for (const { table: child, at } of childrenOf(entity))
      rows.set(
        child,
        company.all(entity).flatMap((record) =>
          listAt(record, at).map((line, index) => ({
            [`${table}_id`]: record.Id,
            ordinal: index + 1,
            ...lineOf(line),
          })),
        ),
      )
  }
  return rows
}

/** Members of the API that no column has on its own. */
export function isWithoutColumn(name: string): boolean {
  return /^(domain|sparse|process_payment)$/u.test(name)
}

const withLines: readonly Entity[] = [
  'Invoice',
  'CreditMemo',
  'SalesReceipt',
  'RefundReceipt',
  'Payment',
  'Bill',
  'VendorCredit',
  'BillPayment',
  'Purchase',
  'Deposit',
  'JournalEntry',
  'Estimate',
  'PurchaseOrder',
]
const withTaxLines: readonly Entity[] = ['Invoice', 'CreditMemo', 'SalesReceipt', 'RefundReceipt']

function childrenOf(entity: Entity): readonly { readonly table: string; readonly at: readonly string[] }[] {
  const table = snake(entity)
  if (entity === 'TaxCode')
    return [
      { table: 'tax_code_sales_rate', at: ['SalesTaxRateList', 'TaxRateDetail'] },
      { table: 'tax_code_purchase_rate', at: ['PurchaseTaxRateList', 'TaxRateDetail'] },
    ]
  return [
    ...(withLines.includes(entity) ? [{ table: `${table}_line`, at: ['Line'] }] : []),
    ...(withTaxLines.includes(entity) ? [{ table: `${table}_tax_line`, at: ['TxnTaxDetail', 'TaxLine'] }] : []),
  ]
}

function listAt(record: JsonRecord, at: readonly string[]): readonly JsonRecord[] {
  let found: unknown = record
  for (const part of at) found = (found as JsonRecord | undefined)?.[part]
  return (found ?? []) as readonly JsonRecord[]
}

function rowOf(record: JsonRecord): Row {
  const tax = (record['TxnTaxDetail'] ?? {}) as JsonRecord
  return { ...membersOf(record), ...('TotalTax' in tax && membersOf({ ...tax, TaxLine: undefined })) }
}

/** The members of the detail of a line are columns of the line. */
function lineOf(line: JsonRecord): Row {
  const { Id, DetailType, LinkedTxn, ...rest } = line
  const detail = (line[String(DetailType)] ?? {}) as JsonRecord
  const [linked] = (LinkedTxn ?? []) as readonly JsonRecord[]
  const isTax = DetailType === 'TaxLineDetail'
  return {
    ...(DetailType !== undefined && !isTax && { line_id: Id, detail_type: DetailType }),
    ...membersOf({ ...rest, [String(DetailType)]: undefined }),
    ...membersOf(detail, DetailType === 'DiscountLineDetail' ? discounts : {}),
    ...(linked !== undefined && { linked_txn_id: linked['TxnId'], linked_txn_type: linked['TxnType'] }),
  }
}

const discounts: Readonly<Record<string, string>> = { PercentBased: 'sparse' }

const renamed: Readonly<Record<string, string>> = {
  CurrencyRef: 'currency',
  DepositToAccountRef: 'deposit_account_id',
  SalesTermRef: 'term_id',
  APAccountRef: 'ap_account_id',
  ItemAccountRef: 'account_id',
  SubAccount: 'is_sub_account',
  SubClass: 'is_sub_class',
  SubDepartment: 'is_sub_department',
  SubItem: 'is_sub_item',
  Job: 'is_job',
  Vendor1099: 'is_vendor_1099',
  POStatus: 'po_status',
  TaxGroup: 'is_group',
  TrackQtyOnHand: 'is_quantity_tracked',
  PercentBased: 'is_percent_based',
  PrimaryEmailAddr: 'email',
  PrimaryPhone: 'phone',
  BillAddr: 'billing_address',
  LinkedTxn: 'linked_txns',
}

const nested: Readonly<Record<string, (value: JsonRecord) => Row>> = {
  MetaData: ({ CreateTime, LastUpdatedTime }) => ({
    created_time: new Date(String(CreateTime)).toISOString(),
    last_updated_time: new Date(String(LastUpdatedTime)).toISOString(),
  }),
  PrimaryEmailAddr: ({ Address }) => ({ email: Address }),
  BillEmail: ({ Address }) => ({ bill_email: Address }),
  PrimaryPhone: ({ FreeFormNumber }) => ({ phone: FreeFormNumber }),
  BillAddr: (address) => ({
    billing_address: address,
    city: address['City'],
    postal_code: address['PostalCode'],
    country: address['Country'],
  }),
  CheckPayment: ({ BankAccountRef }) => ({ bank_account_id: (BankAccountRef as JsonRecord)['value'] }),
  // A reference with its kind; that of a journal entry has it one level deeper.
  EntityRef: ({ value, type }) => ({ entity_id: value, entity_type: type }),
  Entity: ({ value, type, Type, EntityRef }) => ({
    entity_id: value ?? (EntityRef as JsonRecord)['value'],
    entity_type: type ?? Type,
  }),
  TxnTaxDetail: () => ({}),
  SalesTaxRateList: () => ({}),
  PurchaseTaxRateList: () => ({}),
}

function membersOf(record: JsonRecord, names: Readonly<Record<string, string>> = {}): Row {
  const rows = Object.entries(record).map(([member, value]): Row => {
    if (value === undefined || member === 'Line') return {}
    const special = nested[member]
    if (special !== undefined) return special(value as JsonRecord)
    const name = names[member] ?? renamed[member] ?? snake(member)
    if (member.endsWith('Ref')) return { [name.replace(/_ref$/u, '_id')]: (value as JsonRecord)['value'] }
    return { [name]: value }
  })
  return Object.assign({}, ...rows) as Row
}

function snake(member: string): string {
  return member.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/gu, '_').toLowerCase()
}
