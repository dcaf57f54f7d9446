/** What a run has stored about a table of orders. */
export const ordersStructure = JSON.stringify([
  {
    sourceName: 'orders',
    schema: 'public',
    name: 'orders',
    description: 'What customers have ordered',
    columns: [
      {
        sourceName: 'id',
        sourceField: 'id',
        name: 'id',
        type: 'integer',
        isKey: true,
        isNullable: false,
        description: null,
      },
    ],
    references: [],
  },
])
