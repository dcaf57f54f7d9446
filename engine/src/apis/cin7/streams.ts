/** All streams of Cin7 Core, master data before documents, grouped in the bundles by which they are licensed. */
import { bundleStreams } from '../http/stream-bundles.ts'
import { contactStreams } from './tables/contacts.ts'
import { crmStreams } from './tables/crm.ts'
import type { Cin7Stream } from './tables/stream-kinds.ts'
import { bookStreams, chartStreams } from './tables/ledger.ts'
import { productionStreams } from './tables/production.ts'
import { productStreams } from './tables/products.ts'
import { purchaseStreams } from './tables/purchases.ts'
import { saleStreams } from './tables/sales.ts'
import { ownStreams, sellingStreams } from './tables/selling.ts'
import { stockLevelStreams, stockWorkStreams } from './tables/stock.ts'

export const {
  streams: cin7Streams,
  bundles: cin7Bundles,
  bundleOf,
  findStream,
} = bundleStreams<Cin7Stream>('Cin7 Core', [
  {
    id: 'Base',
    title: 'Products, stock and contacts',
    description:
      'Products, stock levels, customers, suppliers, the chart of accounts and the reference lists they use.',
    streams: [...chartStreams, ...ownStreams, ...contactStreams, ...productStreams, ...stockLevelStreams],
  },
  {
    id: 'Sales',
    title: 'Sales',
    description:
      'Quotes, orders, fulfilments, invoices, payments and credit notes, line by line; carriers, discounts and deals.',
    streams: [...sellingStreams, ...saleStreams],
  },
  {
    id: 'Purchases',
    title: 'Purchases',
    description: 'Orders, receipts, invoices, payments and credit notes, line by line.',
    streams: purchaseStreams,
  },
  {
    id: 'Stock',
    title: 'Stock movements',
    description: 'Adjustments, stock takes, transfers and write-offs, line by line.',
    streams: stockWorkStreams,
  },
  {
    id: 'Manufacturing',
    title: 'Manufacturing',
    description: 'Assemblies, disassemblies and production orders with their operations, components and resources.',
    streams: productionStreams,
  },
  {
    id: 'Accounting',
    title: 'Accounting',
    description:
      'The ledger, journals, bank accounts, money spent and received, customer credits and supplier deposits.',
    streams: bookStreams,
  },
  {
    id: 'CRM',
    title: 'CRM',
    description: 'Leads, opportunities and tasks.',
    streams: crmStreams,
  },
])
