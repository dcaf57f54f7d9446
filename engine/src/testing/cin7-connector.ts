/** A simulated Cin7 Core, a target, and the runs between them. */
import type { Cin7Simulator } from '../../../sims/src/cin7/server.ts'
import { type ApiConnector, connectApi } from './api-connector.ts'
import { expectedRows } from './cin7-rows.ts'
import type { Row } from './cin7-rows.ts'
import { differencesOf } from './differences.ts'
import type { End, Kind } from './ends.ts'
import { simulated } from './simulated-cin7.ts'
import type { Simulated } from './simulated-cin7.ts'

export interface Connector extends Omit<Simulated, 'open'>, ApiConnector {
  /** What the target holds otherwise than the simulator, in all tables or some: empty where they are equal, row for row. */
  differences(tables?: RegExp): Promise<readonly string[]>
}

export async function connectCin7(options: Parameters<typeof simulated>[0], to: Kind = 'postgres'): Promise<Connector> {
  const there = await simulated(options)
  const made = await connectApi(there, to)
  return {
    sim: there.sim,
    clock: there.clock,
    ...made,
    differences: (tables) => cin7Differences(there.sim, made.target, tables),
  }
}

export function cin7Differences(sim: Cin7Simulator, target: Pick<End, 'read'>, tables = /./): Promise<readonly string[]> {
  const all = [...expectedRows(sim)].filter(([table]) => tables.test(table))
  return differencesOf(target, new Map(all.map(([table, rows]) => [table, rows.map((row) => renamed(table, row))])), isLeftOut)
}

/** On purpose, or because it is in columns of what is within. */
function isLeftOut(name: string, value: unknown, columns: readonly string[]): boolean {
  const isObject = typeof value === 'object' && value !== null
  return isObject || leftOut.test(name) || columns.some((column) => name.startsWith(`${column}_`))
}

/** Of products on a line; our own numbering of places; the errors of a document in the making; parts of a document that are rows of their own. */
const leftOut =
  /^(product_custom_field|product_weight|weight_units|section|ordinal|errors|manual_journals_status|supplier_customer$|(stock_received|invoice|credit_note)(_|$))/

const names: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tax_component: { id: 'component_id' },
  supplier_address: { id: 'address_id' },
  supplier_contact: { id: 'contact_id' },
  lead_address: { id: 'address_id' },
  lead_contact: { id: 'contact_id' },
  opportunity_line: { id: 'line_id', product_sku: 'sku' },
  opportunity_charge: { id: 'charge_id' },
  opportunity: Object.fromEntries(['number', 'status', 'date', 'location', 'memo', 'comment'].map((name) => [`opportunity_${name}`, name])),
  crm_task: { task_status: 'status' },
  discount_rule_line: { id: 'line_id' },
  deal: { deal_customers: 'customers', deal_customer_tags: 'customer_tags' },
  deal_discount: {
    id: 'deal_discount_id',
    deal_discount_brands: 'brands',
    deal_discount_categories: 'categories',
    deal_discount_products: 'products',
    deal_discount_tags: 'tags',
  },
  ship_zone_area: { id: 'area_id' },
  product_availability: { id: 'product_id' },
  product_family_product: { id: 'product_id' },
  stock_transfer: { from: 'from_location_id', to: 'to_location_id' },
  inventory_write_off: { inventory_write_off_number: 'number' },
  sale: { order_sale_order_number: 'order_number' },
  sale_shipment: { id: 'shipment_id' },
  production_order_operation: { order: 'position' },
  ...Object.fromEntries(
    ['stock_adjustment', 'stock_take', 'inventory_write_off', 'assembly', 'disassembly', 'money_task'].map((task) => [
      `${task}_ledger_entry`,
      { id: 'entry_id' },
    ]),
  ),
}
const everywhere: Readonly<Record<string, string>> = {
  ful_filment_status: 'fulfilment_status',
  fulfillment_number: 'fulfilment_number',
  linked_fulfillment_number: 'linked_fulfilment_number',
  invocie_number: 'invoice_number',
}

function renamed(table: string, row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [names[table]?.[name] ?? everywhere[name] ?? name, value]))
}
