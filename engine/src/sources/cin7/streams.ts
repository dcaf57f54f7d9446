/** Every stream of Cin7 Core that Tributary moves, masters before documents. */
import type { Cin7Stream } from './tables/declare.ts'
import { contactStreams } from './tables/contacts.ts'
import { ledgerStreams } from './tables/ledger.ts'
import { productStreams } from './tables/products.ts'
import { purchaseStreams } from './tables/purchases.ts'
import { saleStreams } from './tables/sales.ts'

export const cin7Streams: readonly Cin7Stream[] = [
  ...ledgerStreams,
  ...contactStreams,
  ...productStreams,
  ...saleStreams,
  ...purchaseStreams,
]
