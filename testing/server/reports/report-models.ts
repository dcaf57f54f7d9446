/** Models from which reports are generated in tests: an organisation with accounts and plans, and hostile names. */
import type {
  ReportColumn,
  ReportModel,
  ReportRelation,
  ReportTable,
} from '../../../server/src/features/reports/report-model.ts'

const organisation = { id: '6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10', name: 'Harbour Foods' }
const warehouse = { host: 'reports.example.com', port: 5432, database: 'w_0123456789abcdef' }
const years = { first: 2016, last: 2031 }

function table(
  schema: string,
  name: string,
  columns: Readonly<Record<string, ReportColumn['kind']>>,
  more: Partial<ReportTable> = {},
): ReportTable {
  return {
    schema,
    name,
    purpose: 'table',
    description: null,
    columns: Object.entries(columns).map(([column, kind]) => ({ name: column, kind, description: null })),
    omitted: [],
    key: [],
    relations: [],
    amounts: [],
    repeatedBy: null,
    ...more,
  }
}

function refersTo(toSchema: string, toTable: string, column: string, toColumn: string): ReportRelation {
  return { columns: [column], toSchema, toTable, toColumns: [toColumn] }
}

const planColumns = {
  Entity: 'text',
  Area: 'text',
  Subarea: 'text',
  Milestone: 'text',
  Month: 'date',
  Account: 'text',
  Amount: 'money',
  LoadedBy: 'text',
  LoadedAtUtc: 'instant',
  LoadId: 'text',
  SliceId: 'text',
} as const

/** The model of the golden project in `golden/`. */
export const harbourModel: ReportModel = {
  organisation,
  warehouse,
  years,
  tables: [
    table(
      'xero',
      'accounts',
      { account_id: 'text', code: 'text', name: 'text', class: 'text', is_bank: 'boolean', updated_at: 'instant' },
      { key: ['account_id'], description: 'The chart of accounts.\nOne row for each account, archived ones too.' },
    ),
    table(
      'xero',
      'contacts',
      { contact_id: 'text', name: 'text', balance: 'money', since: 'dateTime' },
      { key: ['contact_id'], omitted: [{ name: 'logo', type: 'bytea' }], description: 'Customers and suppliers.' },
    ),
    table(
      'xero',
      'invoices',
      { invoice_id: 'text', contact_id: 'text', due_date: 'date', date: 'date', total: 'money', rate: 'number' },
      { key: ['invoice_id'], relations: [refersTo('xero', 'contacts', 'contact_id', 'contact_id')] },
    ),
    table(
      'xero',
      'invoice_lines',
      { invoice_id: 'text', position: 'whole', account_id: 'text', amount: 'money', at: 'time' },
      {
        key: ['invoice_id', 'position'],
        relations: [
          refersTo('xero', 'invoices', 'invoice_id', 'invoice_id'),
          refersTo('xero', 'accounts', 'account_id', 'account_id'),
        ],
      },
    ),
    table(
      'xero',
      'profit_and_loss',
      { month: 'date', account_id: 'text', account_name: 'text', amount: 'money' },
      {
        purpose: 'question',
        description: 'What did we earn and spend?',
        relations: [refersTo('xero', 'accounts', 'account_id', 'account_id')],
        amounts: [{ column: 'amount', kind: 'flow' }],
      },
    ),
    table(
      'xero',
      'profit_and_loss_by_tracking',
      { month: 'date', tracking_category: 'text', tracking_option: 'text', account_id: 'text', amount: 'money' },
      {
        purpose: 'question',
        description: 'What did each department earn and spend?',
        amounts: [{ column: 'amount', kind: 'flow' }],
        repeatedBy: 'tracking_category',
      },
    ),
    table(
      'xero',
      'balance_sheet',
      { month_end: 'date', account_name: 'text', balance: 'money' },
      {
        purpose: 'question',
        description: 'What do we own and owe?',
        amounts: [{ column: 'balance', kind: 'balance' }],
      },
    ),
    table('shop', 'Accounts', { id: 'whole', name: 'text' }, { key: ['id'] }),
    table('excel', 'B2SBudget2026', planColumns, { purpose: 'version', description: 'Budget 2026' }),
    table('excel', 'B2SRates', { Currency: 'text', Rate: 'number' }, { purpose: 'helperTable' }),
    table(
      'excel',
      'tributary_row_right',
      {
        Email: 'text',
        TableName: 'text',
        Entity: 'text',
        Area: 'text',
        Subarea: 'text',
        Milestone: 'text',
        MayWrite: 'boolean',
      },
      { purpose: 'rights' },
    ),
    table(
      'excel',
      'tributary_helper_table_right',
      { Email: 'text', TableName: 'text', HelperTable: 'text', MayWrite: 'boolean' },
      { purpose: 'rights' },
    ),
  ],
}

/** Names that break a generator that does not quote. All are possible in PostgreSQL. */
export const hostileNames: readonly string[] = [
  `quote " quote`,
  `apostrophe ' apostrophe`,
  `bracket ] [ bracket`,
  `line\nbreak\r\nand\ttab`,
  `separator\u2028and\u0085next line`,
  `right\u202Eto\u2066left`,
  `עברית العربية`,
  `=HYPERLINK("http://example.com","x")`,
  `+1-2`,
  `@cmd`,
  `#(lf) and #"name"`,
  `table`,
  `measure`,
  `Date`,
  `let`,
  `///`,
  '```',
  `--comment`,
  `// comment /* */`,
  `a.b:c=d`,
  ` leading and trailing `,
  `CON`,
  `../../escape`,
  `C:\\windows`,
  `<tag attr="1">&amp;</tag>`,
  `]]>`,
  `\${x} {{x}} %PATH%`,
  `emoji 😀 and combining e\u0301`,
  `x`.repeat(128),
  `ü`.repeat(63),
  `Case`,
  `case`,
  `$1`,
  `\\`,
]

/** Each name as a table, as a column and in a relation. */
export const hostileModel: ReportModel = {
  organisation: { id: organisation.id, name: `../ "Evil" & <Söhne>\n'` },
  warehouse: { host: 'host"; drop', port: 5432, database: `data"base` },
  years,
  tables: hostileNames.map((name, at) =>
    table(
      name,
      name,
      {},
      {
        purpose: at % 3 === 0 ? 'question' : at % 3 === 1 ? 'version' : 'table',
        description: `Says ${name}`,
        key: ['id'],
        columns: [
          { name: 'id', kind: 'whole', description: null },
          ...hostileNames.map((column, index): ReportColumn => ({
            name: column,
            kind: (['text', 'date', 'money', 'instant', 'number'] as const)[index % 5] ?? 'text',
            description: `Column ${column}`,
          })),
          { name: 'other', kind: 'whole', description: null },
        ],
        relations: [refersTo(hostileNames[at - 1] ?? '', hostileNames[at - 1] ?? '', 'other', 'id')],
        amounts:
          at % 3 === 0
            ? [
                { column: hostileNames[2] ?? '', kind: 'flow' },
                { column: hostileNames[7] ?? '', kind: 'balance' },
              ]
            : [],
      },
    ),
  ),
}
