/** What Tributary knows of Uniconta's entity sets before it asks: in which bundle each is sold, its natural key, and how far back it is read again. */
import type { StreamBundle } from '../../ports/source.ts'

export interface KnownSet {
  readonly bundle: string
  /** Identifies a row where the set has neither a number of its own nor a declared key. */
  readonly key: readonly string[]
  /** Posted entries by date: how many days are read again with every run. */
  readonly days: number | null
}

/** Name, natural key, days. */
type Line = readonly [name: string, key: string, days?: number]

/** Corrections of what is posted come as new postings, within some weeks; payments settle entries for about a year. */
const posted = 62
const settled = 400

const lines: Readonly<Record<string, readonly Line[]>> = {
  Base: [
    ['CompanyClient', 'PrimaryKeyId'],
    ['GLAccountClient', 'Account'],
    ['DebtorClient', 'Account'],
    ['CreditorClient', 'Account'],
    ['InvItemClient', 'Item'],
    ['DebtorGroupClient', 'Group'],
    ['CreditorGroupClient', 'Group'],
    ['InvGroupClient', 'Group'],
    ['PaymentTermClient', 'Payment'],
    ['EmployeeClient', 'Number'],
  ],
  Ledger: [
    ['GLTransClient', '', posted],
    ['GLTransSumClient', 'Date Account Dimension1 Dimension2 Dimension3 Dimension4 Dimension5'],
    ['GLDailyJournalPostedClient', 'JournalPostedId'],
    ['GLVatClient', 'Vat'],
    ['GLBudgetClient', 'Name'],
    ['GLBudgetLineClient', ''],
    ['CompanyFinanceYearClient', 'FromDate'],
  ],
  Sales: [
    ['DebtorInvoiceClient', 'InvoiceNumber', posted],
    ['DebtorInvoiceLines', '', posted],
    ['DebtorTransClient', '', settled],
    ['DebtorTransOpenClient', ''],
    ['DebtorOrderClient', 'OrderNumber'],
    ['DebtorOrderLineClient', 'OrderNumber LineNumber'],
    ['DebtorOfferClient', 'OrderNumber'],
    ['DebtorOfferLineClient', 'OrderNumber LineNumber'],
  ],
  Purchases: [
    ['CreditorInvoiceClient', '', posted],
    ['CreditorInvoiceLines', '', posted],
    ['CreditorTransClient', '', settled],
    ['CreditorTransOpenClient', ''],
    ['CreditorOrderClient', 'OrderNumber'],
    ['CreditorOrderLineClient', 'OrderNumber LineNumber'],
  ],
  Inventory: [
    ['InvTransClient', '', posted],
    ['InvItemStorageClient', 'Item Variant1 Variant2 Warehouse Location'],
    ['InvWarehouseClient', 'Warehouse'],
    ['InvBOMClient', 'ItemMaster LineNumber'],
    ['InvSerieBatchClient', 'Item Number'],
  ],
  Other: [
    ['ProjectClient', 'Number'],
    ['ProjectTransClient', '', posted],
    ['ContactClient', ''],
    ['CrmProspectClient', ''],
    ['ProductionOrderClient', 'ProductionNumber'],
    ['ProductionOrderLineClient', 'ProductionNumber LineNumber'],
    ['ProductionPostedClient', '', posted],
  ],
}

/** A set that nobody has foreseen: user-defined tables, and what Uniconta adds. */
const unknown: KnownSet = { bundle: 'Other', key: [], days: null }

const known: ReadonlyMap<string, KnownSet> = new Map(
  Object.entries(lines).flatMap(([bundle, sets]) =>
    sets.map(([name, key, days = null]) => [name, { bundle, key: key === '' ? [] : key.split(' '), days }] as const),
  ),
)

/** Read unless the settings say otherwise, in this order: what others refer to comes first. */
export const usualSets: readonly string[] = [...known.keys()]

export function knownSet(name: string): KnownSet {
  return known.get(name) ?? unknown
}

const described: readonly (readonly [id: string, title: string, description: string])[] = [
  ['Base', 'Base', 'Companies, accounts, customers, vendors, items and their groups.'],
  ['Ledger', 'Ledger', 'Postings, totals, VAT codes and budgets.'],
  ['Sales', 'Sales', 'Orders, offers, invoices with their lines, and customers’ entries.'],
  ['Purchases', 'Purchases', 'Purchase orders, invoices and vendors’ entries.'],
  ['Inventory', 'Inventory', 'Stock, movements, warehouses and bills of materials.'],
  ['Other', 'Other', 'Projects, contacts, production, and every table that is named in the settings.'],
]

export const unicontaBundles: readonly StreamBundle[] = described.map(([id, title, description]) => ({
  id,
  base: id === 'Base',
  title,
  description,
  streams: (lines[id] ?? []).map(([name]) => name),
}))
