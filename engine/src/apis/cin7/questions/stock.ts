/** The ready questions about stock in Cin7 Core: what is on hand, and how often it turns over. */
import type { QuestionSet, ReadyQuestion } from '../../../ports/questions.ts'
import type { StatementNames } from '../../../ports/view-names.ts'

/** Rounds to cents, half away from zero, as all three databases round decimals. */
const cents = (amount: string): string => `CAST(ROUND(${amount}, 2) AS decimal(19,2))`

const describedProduct = [
  { name: 'product_id', description: 'Cin7 Core’s id of the product.' },
  { name: 'sku', description: 'The product’s code.' },
  { name: 'product_name', description: 'The product’s name.' },
  { name: 'category', description: 'The product’s category.' },
  { name: 'brand', description: 'The product’s brand.' },
] as const

const productColumns =
  'MAX(s.sku) AS sku, MAX(s.name) AS product_name, MAX(p.category) AS category, MAX(p.brand) AS brand'

const stockOnHand: ReadyQuestion = {
  name: 'stock_on_hand',
  title: 'What is in stock, where, and what is it worth?',
  description:
    'Stock by product and location as Cin7 Core reported it at the last run, with bins and batches added up. The value is Cin7 Core’s own, in base currency.',
  columns: [
    ...describedProduct,
    { name: 'location', description: 'The name of the location.' },
    { name: 'on_hand', description: 'Pieces in stock.' },
    { name: 'allocated', description: 'Pieces that orders have reserved.' },
    { name: 'available', description: 'Pieces on hand that are not reserved.' },
    { name: 'on_order', description: 'Pieces ordered from suppliers and not received.' },
    { name: 'in_transit', description: 'Pieces on the way between locations.' },
    { name: 'stock_value', description: 'The value of the pieces on hand.' },
  ],
  requiredStreams: ['productavailability', 'product'],
  select: ({ table }) => `SELECT s.product_id, ${productColumns}, s.location,
      ${['on_hand', 'allocated', 'available', 'on_order', 'in_transit'].map((name) => `SUM(COALESCE(s.${name}, 0)) AS ${name}`).join(', ')},
      ${cents('SUM(COALESCE(s.stock_on_hand, 0))')} AS stock_value
    FROM ${table('product_availability')} AS s LEFT JOIN ${table('product')} AS p ON p.id = s.product_id
    GROUP BY s.product_id, s.location`,
}

const yearDays = 365

/** What moved in the last year by product, at cost. */
function movedOf({ table, today, addDays }: StatementNames, movements: string): string {
  return `SELECT m.product_id, SUM(COALESCE(m.cogs, 0)) AS cost FROM ${table(movements)} AS m
    WHERE m.date > ${addDays(today('0'), -yearDays)} AND m.date <= ${today('0')} GROUP BY m.product_id`
}

const stockTurn: ReadyQuestion = {
  name: 'stock_turn',
  title: 'How often does our stock turn over?',
  description: `Stock turn by product: the cost of sales of the last ${yearDays} days (by date in UTC) divided by the average stock. The average is that of the value today and the value ${yearDays} days ago, which is today’s value plus the cost of sales less the cost of purchases since, at least zero. Adjustments, write-offs, assemblies and production of that time are not taken into account. Amounts are in base currency.`,
  columns: [
    ...describedProduct,
    { name: 'cost_of_sales', description: `The cost of what was sold in the last ${yearDays} days, less returns.` },
    {
      name: 'cost_of_purchases',
      description: `The cost of what was received from suppliers in the last ${yearDays} days.`,
    },
    { name: 'stock_value', description: 'The value of the stock at the last run, over all locations.' },
    { name: 'stock_value_a_year_ago', description: 'The value that follows from today’s and the movements.' },
    { name: 'average_stock_value', description: 'The average of the two values.' },
    { name: 'turns_per_year', description: 'Cost of sales divided by the average stock; empty without stock.' },
  ],
  requiredStreams: ['productavailability', 'product', 'sale', 'purchase'],
  select(names) {
    const { table } = names
    const earlier = 'v.stock_value + v.cost_of_sales - v.cost_of_purchases'
    const stock = `SELECT s.product_id, ${productColumns}, SUM(COALESCE(s.stock_on_hand, 0)) AS stock_value
      FROM ${table('product_availability')} AS s LEFT JOIN ${table('product')} AS p ON p.id = s.product_id GROUP BY s.product_id`
    const values = `SELECT t.product_id, t.sku, t.product_name, t.category, t.brand, t.stock_value,
        COALESCE(o.cost, 0) AS cost_of_sales, COALESCE(i.cost, 0) AS cost_of_purchases
      FROM (${stock}) AS t LEFT JOIN (${movedOf(names, 'sale_movement')}) AS o ON o.product_id = t.product_id
      LEFT JOIN (${movedOf(names, 'purchase_movement')}) AS i ON i.product_id = t.product_id`
    const averaged = `SELECT w.*, (w.stock_value + w.stock_value_a_year_ago) / 2 AS average_stock_value
      FROM (SELECT v.*, CASE WHEN ${earlier} > 0 THEN ${earlier} ELSE 0 END AS stock_value_a_year_ago FROM (${values}) AS v) AS w`
    return `SELECT u.product_id, u.sku, u.product_name, u.category, u.brand, ${cents('u.cost_of_sales')} AS cost_of_sales,
        ${cents('u.cost_of_purchases')} AS cost_of_purchases, ${cents('u.stock_value')} AS stock_value,
        ${cents('u.stock_value_a_year_ago')} AS stock_value_a_year_ago, ${cents('u.average_stock_value')} AS average_stock_value,
        ${cents('u.cost_of_sales / NULLIF(u.average_stock_value, 0)')} AS turns_per_year
      FROM (${averaged}) AS u`
  },
}

export const cin7Questions: QuestionSet = { questions: [stockOnHand, stockTurn], ledgerViews: () => [] }
