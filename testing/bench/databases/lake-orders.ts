/** The table of eight columns that the benchmarks of Iceberg tables write. */
import { column, table } from '../../engine/sync/fixtures.ts'

export const orders = table('orders', [
  column('id', { kind: 'integer', bytes: 8 }, false),
  column('customer', { kind: 'text' }),
  column('placed_on', { kind: 'date' }),
  column('changed_at', { kind: 'instant', digits: 6 }),
  column('total', { kind: 'decimal', precision: 18, scale: 2 }),
  column('quantity', { kind: 'integer', bytes: 4 }),
  column('note', { kind: 'text' }),
  column('is_paid', { kind: 'boolean' }),
])
