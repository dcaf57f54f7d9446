import type { WarehouseRow } from '../queries.ts'

/** The owner of everything in a warehouse. */
export type WriterName = Pick<WarehouseRow, 'writerName'>
