/** What the tables and columns of Uniconta mean. Its columns are known only at run time: unknown ones get a general text. */
import type { Reference, Table } from '../../../ports/model.ts'
import type { DocumentShape } from '../../http/documents.ts'
import { type ColumnReferences, type ColumnTexts, describeShape, type SourceDictionary } from '../../http/dictionary.ts'
import { unicontaTables } from './tables.ts'

const unicontaColumns: ColumnTexts = {
  company_id:
    'Company that the row belongs to, by its number at Uniconta. Numbers such as accounts are unique only within a company.',
  occurrence: 'Number of the row among those with the same key, from 1. It is 1 unless Uniconta has a key twice.',
  primary_key_id: 'Number that Uniconta has given the row; unique in the company.',
  row_id: 'Number that Uniconta has given the row; unique in the company.',
  name: 'Name of the row.',
  company_name: 'Name of the company.',
  email: 'Email address as entered; not verified.',
  contact_email: 'Email address of the contact person.',
  phone: 'Telephone number.',
  'address#': 'Line {n} of the address.',
  zip_code: 'Postal code, as text.',
  city: 'City of the address.',
  country: 'Country by its English name, such as Denmark.',
  company_reg_no: 'Number in the register of companies (CVR in Denmark).',
  currency: 'ISO 4217 code of the currency; empty for the currency of the company.',
  vat: 'VAT code that applies; the rate is in the table of VAT codes.',
  vat_zone: 'Whether VAT is that of domestic trade, of the European Union or of export.',
  payment: 'Payment term, from which the due date follows.',
  note: 'Note of users.',
  date: 'Accounting date; a day without time zone.',
  due_date: 'Day on which payment is due; empty for payments.',
  delivery_date: 'Day of the delivery; empty if none is planned.',
  text: 'Text of the posting or line.',
  voucher: 'Number of the voucher. The rows with the same voucher and date balance.',
  invoice_number: 'Number of the invoice; 0 or empty if the row has none.',
  order_number: 'Number of the order.',
  line_number: 'Position of the line. Decimals make room for lines between two others.',
  journal_posted_id: 'Posted journal that the row came from. It links ledger, customers, vendors and stock.',
  'dimension#': 'Value of dimension {n}, such as a department; the company gives dimensions their names.',
  'variant#': 'Variant {n} of the item, such as size; empty without variants.',
  item: 'Number of the item.',
  warehouse: 'Warehouse of the goods; empty if the company has one place only.',
  location: 'Location within the warehouse; empty without locations.',
  qty: 'Number of units; negative on credit notes.',
  price: 'Price of one unit without VAT, in the currency of the document.',
  net_amount: 'Amount without VAT, in the currency of the document; negative on credit notes.',
  vat_amount: 'VAT in the currency of the document; negative on credit notes.',
  total_amount: 'Amount with VAT in the currency of the document; negative on credit notes.',
  cost_value: 'Cost of the goods in the currency of the company.',
  margin: 'Net amount less cost, in the currency of the company.',
  margin_ratio: 'Margin as a percentage of the net amount.',
  exchange_rate: 'Rate between the currency of the document and that of the company.',
  delivery_country: 'Country of the delivery by its English name.',
  send_time: 'When the invoice was sent, in the time of the company, without a zone; empty if it was not.',
}

const unicontaReferences: ColumnReferences = {
  vat: 'gl_vat.vat',
  payment: 'payment_term.payment',
  item: 'inv_item.item',
  warehouse: 'inv_warehouse.warehouse',
  journal_posted_id: 'gl_daily_journal_posted.journal_posted_id',
  company_id: 'company.primary_key_id',
}

export const unicontaDictionary: SourceDictionary = {
  title: 'Uniconta',
  tables: unicontaTables,
  columns: unicontaColumns,
  references: unicontaReferences,
}

/** @param set the name of the entity set */
export function describeUnicontaShape(
  set: string,
  shape: DocumentShape,
): { readonly table: Table; readonly children: readonly Table[] } {
  const { table, children } = describeShape(unicontaDictionary, shape)
  const complete = (each: Table, about: string): Table => ({
    ...each,
    description: each.description ?? about,
    columns: each.columns.map((column) => ({
      ...column,
      description:
        column.description ??
        `Field ${column.sourceField ?? column.name} of ${set} as Uniconta describes it in its metadata, or one that your company has added.`,
    })),
    references: (each.references ?? []).map(withinCompany),
  })
  return {
    table: complete(table, `Entity set ${set} of Uniconta, or a table that your company has defined.`),
    children: children.map((child) => complete(child, `Rows within a row of ${table.name}, in their order.`)),
  }
}

/** Numbers are unique within a company only. */
function withinCompany(reference: Reference): Reference {
  if (reference.isParent || reference.columns[0] === 'company_id') return reference
  return { ...reference, columns: ['company_id', ...reference.columns], to: ['company_id', ...reference.to] }
}
