/** Built-in knowledge of Uniconta's entity sets: bundle, natural key, and how many days are read again. */
import type { StreamBundle } from '../../ports/source.ts'

export interface KnownSet {
  readonly bundle: string
  /** Identifies a row if the set has neither a row number nor a declared key. */
  readonly key: readonly string[]
  /** Posted entries with a date: how many days each run reads again. */
  readonly days: number | null
}

/** Name, natural key, days. */
type KnownSetEntry = readonly [name: string, key: string, days?: number]

/** Corrections of posted entries are new postings within some weeks. Payments settle entries for about a year. */
const correctionDays = 62
const settlementDays = 400

const knownSetsByBundle: Readonly<Record<string, readonly KnownSetEntry[]>> = {
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
    ['GLTransClient', '', correctionDays],
    ['GLTransSumClient', 'Date Account Dimension1 Dimension2 Dimension3 Dimension4 Dimension5'],
    ['GLDailyJournalPostedClient', 'JournalPostedId'],
    ['GLVatClient', 'Vat'],
    ['GLBudgetClient', 'Name'],
    ['GLBudgetLineClient', ''],
    ['CompanyFinanceYearClient', 'FromDate'],
  ],
  Sales: [
    ['DebtorInvoiceClient', 'InvoiceNumber', correctionDays],
    ['DebtorInvoiceLines', '', correctionDays],
    ['DebtorTransClient', '', settlementDays],
    ['DebtorTransOpenClient', ''],
    ['DebtorOrderClient', 'OrderNumber'],
    ['DebtorOrderLineClient', 'OrderNumber LineNumber'],
    ['DebtorOfferClient', 'OrderNumber'],
    ['DebtorOfferLineClient', 'OrderNumber LineNumber'],
  ],
  Purchases: [
    ['CreditorInvoiceClient', '', correctionDays],
    ['CreditorInvoiceLines', '', correctionDays],
    ['CreditorTransClient', '', settlementDays],
    ['CreditorTransOpenClient', ''],
    ['CreditorOrderClient', 'OrderNumber'],
    ['CreditorOrderLineClient', 'OrderNumber LineNumber'],
  ],
  Inventory: [
    ['InvTransClient', '', correctionDays],
    ['InvItemStorageClient', 'Item Variant1 Variant2 Warehouse Location'],
    ['InvWarehouseClient', 'Warehouse'],
    ['InvBOMClient', 'ItemMaster LineNumber'],
    ['InvSerieBatchClient', 'Item Number'],
  ],
  Other: [
    ['ProjectClient', 'Number'],
    ['ProjectTransClient', '', correctionDays],
    ['ContactClient', ''],
    ['CrmProspectClient', ''],
    ['ProductionOrderClient', 'ProductionNumber'],
    ['ProductionOrderLineClient', 'ProductionNumber LineNumber'],
    ['ProductionPostedClient', '', correctionDays],
  ],
}

/** Sets that are not listed, such as user-defined tables and later additions. */
const unlistedSet: KnownSet = { bundle: 'Other', key: [], days: null }

const knownSets: ReadonlyMap<string, KnownSet> = new Map(
  Object.entries(knownSetsByBundle).flatMap(([bundle, sets]) =>
    sets.map(([name, key, days = null]) => [name, { bundle, key: key === '' ? [] : key.split(' '), days }] as const),
  ),
)

/** Read by default, in this order: referenced tables come first. */
export const defaultSets: readonly string[] = [...knownSets.keys()]

export function findKnownSet(name: string): KnownSet {
  return knownSets.get(name) ?? unlistedSet
}

const bundleTexts: readonly (readonly [id: string, title: string, description: string])[] = [
  ['Base', 'Base', 'Companies, accounts, customers, vendors, items and their groups.'],
  ['Ledger', 'Ledger', 'Postings, totals, VAT codes and budgets.'],
  ['Sales', 'Sales', 'Orders, offers, invoices with their lines, and customers’ entries.'],
  ['Purchases', 'Purchases', 'Purchase orders, invoices and vendors’ entries.'],
  ['Inventory', 'Inventory', 'Stock, movements, warehouses and bills of materials.'],
  ['Other', 'Other', 'Projects, contacts, production, and every table that is named in the settings.'],
]

export const unicontaBundles: readonly StreamBundle[] = bundleTexts.map(([id, title, description]) => ({
  id,
  base: id === 'Base',
  title,
  description,
  streams: (knownSetsByBundle[id] ?? []).map(([name]) => name),
}))
