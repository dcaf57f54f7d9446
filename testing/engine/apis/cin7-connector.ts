/** A connector from a simulated Cin7 Core to a target. */
import type { Cin7Simulator } from '@tributary/sims/cin7/server'
import { type ApiConnector, connectApi } from './api-connector.ts'
import { expectedRows } from './cin7-rows.ts'
import type { TargetCin7Row } from './cin7-rows.ts'
import { differencesOf } from '../databases/differences.ts'
import type { DatabaseEnd, EndKind } from '../databases/database-ends.ts'
import { simulateCin7 } from './simulated-cin7.ts'
import type { SimulatedCin7 } from './simulated-cin7.ts'

/** A company that is moved in seconds. */
export const smallCompany = {
  products: 120,
  customers: 30,
  suppliers: 6,
  sales: 45,
  purchases: 25,
  salesMax: 70,
  purchasesMax: 40,
  tasks: 4,
}

export interface Cin7Connector extends Omit<SimulatedCin7, 'open'>, ApiConnector {
  /** Differences between target and simulator, in all tables or some; empty if every row is equal. */
  differences(tables?: RegExp): Promise<readonly string[]>
}

export async function connectCin7(
  options: Parameters<typeof simulateCin7>[0],
  to: EndKind = 'postgres',
): Promise<Cin7Connector> {
  const there = await simulateCin7(options)
  const made = await connectApi(there, to)
  return {
    sim: there.sim,
    clock: there.clock,
    ...made,
    differences: (tables) => cin7Differences(there.sim, made.target, tables),
  }
}

export function cin7Differences(
  sim: Cin7Simulator,
  target: Pick<DatabaseEnd, 'read'>,
  tables = /./,
): Promise<readonly string[]> {
  const all = [...expectedRows(sim)].filter(([table]) => tables.test(table))
  return differencesOf(
    target,
    new Map(all.map(([table, rows]) => [table, rows.map((row) => renamed(table, row))])),
    isUncompared,
  )
}

/** Columns that are not compared: on purpose, or objects whose values are compared one by one. */
function isUncompared(name: string, value: unknown, columns: readonly string[]): boolean {
  const isObject = typeof value === 'object' && !Array.isArray(value)
  return (
    uncomparedColumns.test(name) ||
    (isObject && (value !== null || columns.some((column) => column.startsWith(`${name}_`))))
  )
}

/**
 * Columns that are not compared: section and line numbers where they are not part of a key, errors of draft documents,
 * attributes that repeat those of the product, and attributes that are stored as JSON.
 */
const uncomparedColumns =
  /^(section|section_no|ordinal|errors|product_custom_field\d+|additional_attributes_additional_attribute\d+)$/

/** Repeated prices by tier name, and lists that are empty unless they are requested. */
const uncomparedColumnsOf: Readonly<Record<string, RegExp>> = { product: /^(price_tiers|attachments|movements)(_|$)/ }

const names: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tax_component: { id: 'component_id' },
  supplier_address: { id: 'address_id' },
  supplier_contact: { id: 'contact_id' },
  lead_address: { id: 'address_id' },
  lead_contact: { id: 'contact_id' },
  opportunity_line: { id: 'line_id', product_sku: 'sku' },
  opportunity_charge: { id: 'charge_id' },
  opportunity: Object.fromEntries(
    ['number', 'status', 'date', 'location', 'memo', 'comment'].map((name) => [`opportunity_${name}`, name]),
  ),
  crm_task: { task_status: 'status' },
  discount_rule_line: { id: 'line_id' },
  deal_discount: { id: 'deal_discount_id' },
  ...Object.fromEntries(
    [
      'deal_customer',
      'deal_customer_tag',
      ...['brand', 'category', 'product', 'tag'].map((kind) => `deal_discount_${kind}`),
    ].map((table) => [table, { id: `${table}_id` }]),
  ),
  crm_workflow_step: { id: 'step_id' },
  location: { is_deprecated: 'deprecated' },
  product_supplier: { url: 'supplier_product_url' },
  money_task: { supplier_customer: 'supplier_customer_name' },
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

function renamed(table: string, row: TargetCin7Row): TargetCin7Row {
  const compared = Object.entries(row).filter(([name]) => uncomparedColumnsOf[table]?.test(name) !== true)
  return Object.fromEntries(compared.map(([name, value]) => [names[table]?.[name] ?? everywhere[name] ?? name, value]))
}
