/** Descriptions of sales and purchases of Cin7 Core. */
import type { ColumnTexts, TableTexts } from '../../http/dictionary.ts'

type Tables = Readonly<Record<string, TableTexts>>
const priced = 'The section column says in which part: quote, order, invoice or credit note.'

/** Tables that sales and purchases share. */
function tradeTables(table: 'sale' | 'purchase'): Tables {
  return {
    [`${table}_line`]: {
      about: `Goods and services of a ${table}. ${priced}`,
      columns: {
        name: 'Name of the product on the document.',
        total: 'Amount of the line after discount, before tax if tax is exclusive, in the currency of the document.',
      },
    },
    [`${table}_charge`]: { about: `Additional charges of a ${table}, such as freight. ${priced}` },
    [`${table}_payment`]: {
      about: `Prepayments, payments of invoices and refunds of a ${table}.`,
      columns: {
        id: 'Id of the payment at Cin7 Core. One payment can pay several invoices.',
        section: 'quote or order for a prepayment, invoice for a payment, credit_note for a refund.',
        amount: 'Amount in the currency of the document.',
        date_paid: 'Day on which the money moved.',
        account: 'Code of the bank account.',
        currency_rate: 'Rate of the day of the payment.',
        date_created: 'When the payment was entered, in UTC.',
      },
    },
    [`${table}_journal_line`]: { about: `Manual journals that belong to a ${table}, such as landed costs.` },
    [`${table}_movement`]: {
      about: `Movements of stock by a ${table}, with their cost.`,
      columns: { date: 'Day of the movement.' },
    },
  }
}

const stages: ColumnTexts = {
  pick_status: 'State of picking the goods.',
  pack_status: 'State of packing the goods.',
  ship_status: 'State of shipping the goods.',
  ship_require_by: 'Day by which the shipment should leave.',
  ship_shipping_notes: 'Notes for the carrier.',
}

const saleListColumns: ColumnTexts = {
  sale_id: 'The sale. Its document is in the table of sales.',
  status: 'State of the whole sale, such as ESTIMATING, ORDERED, INVOICED, COMPLETED or VOIDED.',
  type: 'Simple Sale, Advanced Sale or Service Sale.',
  order_location_id: 'Location from which the goods are sold.',
}
const saleListReferences = { sale_id: 'sale.id', order_location_id: 'location.id' }
const purchaseListColumns: ColumnTexts = {
  id: 'The purchase. Its document is in the table of purchases.',
  status: 'State of the whole purchase, such as DRAFT, ORDERED, RECEIVED, INVOICED, COMPLETED or VOIDED.',
  type: 'Simple Purchase, Advanced Purchase or Service Purchase.',
  stock_received_status: 'State of the receiving step only; for the goods see combined_receiving_status.',
  invoice_status: 'State of the invoice part.',
  drop_ship_task_id: 'Sale whose goods the supplier delivers directly; else empty.',
}
const purchaseListReferences = { id: 'purchase.id', drop_ship_task_id: 'sale.id' }
export const tradeDocumentTables: Tables = {
  sale_list: {
    about: 'The list of sales: one row for each, with the state of each part.',
    columns: saleListColumns,
    references: saleListReferences,
  },
  sale_credit_note_list: {
    about: 'The list of credit notes to customers: one row for each.',
    columns: saleListColumns,
    references: saleListReferences,
  },
  sale: {
    about: 'Sales documents: quote, order, fulfilment and invoices in one. Lines and invoices are in their own tables.',
    columns: {
      status: 'State of the whole sale, such as ESTIMATING, ORDERED, INVOICED, COMPLETED or VOIDED.',
      type: 'Simple Sale, Advanced Sale or Service Sale.',
      sale_order_date: 'Day of the order.',
      shipping_notes: 'Notes for the person who ships.',
      skip_quote: 'True if the sale began with an order.',
      service_only: 'True if the sale has services only and nothing to ship.',
      cogs_amount: 'Cost of the goods sold, in base currency; 0 before they leave.',
      manual_journals_status: 'State of the manual journals of the sale.',
      location: 'Name of the location from which the goods are sold.',
    },
  },
  ...tradeTables('sale'),
  sale_line: {
    about: `Goods and services of a sale. ${priced} Do not add up several sections.`,
    columns: {
      name: 'Name of the product on the document.',
      total: 'Amount of the line after discount, before tax if tax is exclusive, in the currency of the document.',
      average_cost: 'Average cost of one unit when the line was written, in base currency.',
      drop_ship: 'True if the supplier delivers the goods directly.',
      backorder: 'True if the line waits for stock.',
      backorder_quantity: 'Units that wait for stock.',
    },
  },
  sale_invoice: {
    about: 'Invoices of a sale.',
    columns: {
      task_id: 'Id of the invoice. The ledger has the same.',
      status: 'DRAFT, AUTHORISED (posted), PAID or VOIDED.',
      'billing_address_line#': 'Line {n} of the billing address of the invoice.',
      linked_fulfilment_number: 'Number of the fulfilment that the invoice belongs to.',
    },
  },
  sale_credit_note: {
    about: 'Credit notes of a sale.',
    columns: {
      task_id: 'Id of the credit note. The ledger has the same.',
      status: 'DRAFT, AUTHORISED (posted) or VOIDED.',
      credit_note_conversion_rate: 'Rate between the currency of the credit note and base currency.',
    },
  },
  sale_fulfilment: {
    about: 'Fulfilments of a sale: picking, packing and shipping of a part of its goods.',
    columns: {
      task_id: 'Id of the fulfilment.',
      fulfilment_number: 'Number of the fulfilment within the sale, from 1.',
      linked_invoice_number: 'Number of the invoice of the goods.',
      ...stages,
    },
  },
  sale_fulfilment_line: {
    about:
      'Goods that were picked, packed or returned to stock. The section says which: the same goods occur in pick and pack.',
    columns: {
      name: 'Name of the product on the document.',
      box: 'Box that the goods are packed in.',
      non_inventory: 'True for goods that are not counted.',
      warranty_registration_number: 'Number under which the warranty is registered.',
      restock_location: 'Name of the location that returned goods go to.',
      restock_location_id: 'Location that returned goods go to.',
    },
    references: { restock_location_id: 'location.id', restock_location: 'location.name' },
  },
  sale_shipment: {
    about: 'Shipments of a sale with their tracking.',
    columns: {
      shipment_id: 'Id of the shipment at Cin7 Core.',
      section_no: 'Which fulfilment of the sale, from 1.',
      shipment_date: 'Day on which the goods left.',
      boxes: 'Boxes of the shipment, separated by commas.',
      tracking_number: 'Number with which the carrier tracks the shipment.',
      tracking_url: 'Page of the carrier that shows the shipment.',
      is_shipped: 'True once the goods have left.',
    },
  },
  sale_ledger_entry: {
    about: 'Ledger entries that a sale has caused.',
    columns: {
      transaction_id: 'Id of the entry at Cin7 Core.',
      amount: 'Amount in base currency, positive: it is debited to one account and credited to the other.',
    },
  },
  purchase_list: {
    about: 'The list of purchases: one row for each, with the state of each part.',
    columns: purchaseListColumns,
    references: purchaseListReferences,
  },
  purchase_credit_note_list: {
    about: 'The list of credit notes from suppliers: one row for each.',
    columns: purchaseListColumns,
    references: purchaseListReferences,
  },
  purchase: {
    about: 'Purchase documents: order, receipt and invoices in one. Lines and invoices are in their own tables.',
    columns: {
      status: 'State of the whole purchase, such as DRAFT, ORDERED, RECEIVED, INVOICED, COMPLETED or VOIDED.',
      type: 'Simple Purchase, Advanced Purchase or Service Purchase.',
      approach: 'INVOICE if the invoice comes before the goods, STOCK if the goods come first.',
      related_drop_ship_sale_task: 'Sale whose goods the supplier delivers directly, as JSON; else empty.',
      location: 'Name of the location that receives the goods.',
    },
  },
  ...tradeTables('purchase'),
  purchase_invoice: {
    about: 'Invoices of suppliers of a purchase.',
    columns: {
      task_id: 'Id of the invoice. The ledger has the same.',
      invoice_number: 'Number that the supplier has given the invoice.',
    },
  },
  purchase_credit_note: {
    about: 'Credit notes of suppliers of a purchase.',
    columns: {
      task_id: 'Id of the credit note. The ledger has the same.',
      credit_note_number: 'Number that the supplier has given the credit note.',
    },
  },
  purchase_receipt_line: {
    about:
      'Goods that were received, put away or sent back. The section says which: the same goods occur in receipt and put_away.',
    columns: {
      name: 'Name of the product on the document.',
      date: 'Day of the receipt.',
      received: 'True once the goods were received.',
      card_id: 'Id that links returned goods with the receipt of their batch.',
    },
  },
  purchase_stage: {
    about: 'States of the receipts, put-aways and journals of a purchase.',
    columns: { task_id: 'Id of the receipt, put-away or journal.' },
  },
}
