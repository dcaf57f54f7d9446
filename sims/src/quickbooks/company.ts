/** The records of a company in the simulated QuickBooks Online, with their versions, stamps and deletions. */
import type { Random } from '../random.ts'

export const entities = [
  'Account',
  'Customer',
  'Vendor',
  'Item',
  'Class',
  'Department',
  'Term',
  'TaxCode',
  'TaxRate',
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
  'Transfer',
  'JournalEntry',
  'Estimate',
  'PurchaseOrder',
] as const
export type Entity = (typeof entities)[number]

/** Lists whose records are deactivated and not deleted. */
export const nameLists: readonly Entity[] = [
  'Account',
  'Customer',
  'Vendor',
  'Item',
  'Class',
  'Department',
  'Term',
  'TaxCode',
  'TaxRate',
]

export type Members = Readonly<Record<string, unknown>>

export interface QuickBooksRecord extends Members {
  readonly Id: string
  readonly SyncToken: string
  readonly MetaData: { readonly CreateTime: string; readonly LastUpdatedTime: string }
}

export interface DeletedRecord {
  readonly entity: Entity
  readonly id: string
  /** In milliseconds since 1970. */
  readonly at: number
}

export interface QuickBooksCompany {
  readonly realmId: string
  readonly name: string
  readonly country: string
  readonly random: Random
  readonly clock: { now(): number }
  readonly deleted: readonly DeletedRecord[]
  /** In the order of their ids. */
  all(entity: Entity): readonly QuickBooksRecord[]
  find(entity: Entity, id: string): QuickBooksRecord | undefined
  add(entity: Entity, members: Members): QuickBooksRecord
  change(entity: Entity, id: string, members: Members): void
  remove(entity: Entity, id: string): void
}

export interface CompanyFacts extends Pick<QuickBooksCompany, 'realmId' | 'name' | 'country' | 'random' | 'clock'> {}

export function createCompany(facts: CompanyFacts): QuickBooksCompany {
  const records = new Map<Entity, Map<string, QuickBooksRecord>>(entities.map((entity) => [entity, new Map()]))
  const deleted: DeletedRecord[] = []
  let lastId = 0
  const of = (entity: Entity): Map<string, QuickBooksRecord> => records.get(entity) ?? new Map()
  return {
    ...facts,
    deleted,
    all: (entity) => [...of(entity).values()],
    find: (entity, id) => of(entity).get(id),
    add(entity, members) {
      lastId += 1
      const stamp = stampOf(facts.clock.now())
      const record = {
        ...members,
        domain: 'QBO',
        sparse: false,
        Id: String(lastId),
        SyncToken: '0',
        MetaData: { CreateTime: stamp, LastUpdatedTime: stamp },
      }
      of(entity).set(record.Id, record)
      return record
    },
    change(entity, id, members) {
      const record = of(entity).get(id)
      if (record === undefined) throw new Error(`There is no ${entity} ${id}.`)
      of(entity).set(id, {
        ...record,
        ...members,
        SyncToken: String(Number(record.SyncToken) + 1),
        MetaData: { ...record.MetaData, LastUpdatedTime: stampOf(facts.clock.now()) },
      })
    },
    remove(entity, id) {
      if (nameLists.includes(entity)) throw new Error(`QuickBooks does not delete ${entity}.`)
      if (!of(entity).delete(id)) throw new Error(`There is no ${entity} ${id}.`)
      deleted.push({ entity, id, at: facts.clock.now() })
    },
  }
}

const pacificMs = -8 * 3_600_000

/** As QuickBooks writes moments: whole seconds in the time of the Pacific coast. */
export function stampOf(at: number): string {
  return `${new Date(at + pacificMs).toISOString().slice(0, 19)}-08:00`
}

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
