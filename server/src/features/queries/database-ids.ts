/** The id that stands for the warehouse; the others are ids of connectors. */
export const warehouseId = 'warehouse'
