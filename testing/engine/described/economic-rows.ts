/** The rows that a target must have of a simulated e-conomic agreement. Written from its books, not from the description. */
import { type Agreement, grossOf, netOf, vatOf, vatRate } from '@tributary/sims/e-conomic/agreement'
import { Money } from '@tributary/sims/e-conomic/money'

type Row = Readonly<Record<string, unknown>>
type EconomicRecord = Row

export function economicRows(agreement: Agreement): ReadonlyMap<string, readonly Row[]> {
  const { accounts, settings, customers, suppliers, products, drafts, orders } = agreement
  const of = (name: string, records: readonly EconomicRecord[]): readonly Row[] =>
    records.map((one) => rowOf(name, one))
  const all = (name: string): readonly EconomicRecord[] => settings[name] ?? []
  return new Map<string, readonly Row[]>([
    ['account', of('account', accounts)],
    ['account_sum', [{ account_number: 1099, ordinal: 1, from_account_number: 1010, to_account_number: 1020 }]],
    ...ledgerRows(agreement),
    ...invoiceRows(agreement),
    ['customer', of('customer', customers)],
    ['supplier', of('supplier', suppliers)],
    ['product', of('product', products)],
    ['draft_invoice', of('draft_invoice', drafts)],
    ['draft_order', of('draft_order', orders.drafts)],
    ['sent_order', of('sent_order', orders.sent)],
    ['archived_order', of('archived_order', orders.archived)],
    ['journal', of('journal', all('journals'))],
    ['customer_group', of('customer_group', all('customer-groups'))],
    ['product_group', of('product_group', all('product-groups'))],
    ['payment_term', of('payment_term', all('payment-terms'))],
    ['vat_account', of('vat_account', all('vat-accounts'))],
    ['employee', of('employee', all('employees'))],
    ['departmental_distribution', of('departmental_distribution', all('departmental-distributions'))],
    [
      'departmental_distribution_part',
      [
        { departmental_distribution_number: 1, ordinal: 1, department_number: 1, percentage: 100 },
        { departmental_distribution_number: 2, ordinal: 1, department_number: 1, percentage: 62.5 },
        { departmental_distribution_number: 2, ordinal: 2, department_number: 2, percentage: 37.5 },
      ],
    ],
  ])
}

function ledgerRows({ years, entries, number }: Agreement): readonly (readonly [string, readonly Row[]])[] {
  const periods = years.flatMap(({ year, isClosed, periods: inYear }) =>
    inYear.map(({ number: period_number, from, to }) => ({
      year,
      period_number,
      from_date: from,
      to_date: to,
      closed: isClosed,
    })),
  )
  const totals = periods.flatMap(({ from_date, to_date }) =>
    [...Map.groupBy(entries, ({ account }) => account)].flatMap(([account_number, all]) => {
      const within = all.filter(({ date }) => date >= from_date && date <= to_date)
      const sum = within.reduce((total, { base }) => total + base.cents, 0)
      return within.length === 0
        ? []
        : [{ from_date, to_date, account_number, total_in_base_currency: new Money(sum).text }]
    }),
  )
  return [
    ['company', [{ agreement_number: number, name: 'Ærø Møbler ApS', base_currency: 'DKK', city: 'Ærøskøbing' }]],
    [
      'accounting_year',
      years.map(({ year, from, to, isClosed }) => ({ year, from_date: from, to_date: to, closed: isClosed })),
    ],
    ['accounting_period', periods],
    ['period_total', totals],
    [
      'entry',
      entries.map((entry) => ({
        entry_number: entry.entryNumber,
        date: entry.date,
        voucher_number: entry.voucher,
        entry_type: entry.type,
        account_number: entry.account,
        text: entry.text,
        currency: entry.currency,
        amount: entry.amount.text,
        amount_in_base_currency: entry.base.text,
        remainder: entry.remainder?.text,
        remainder_in_base_currency: entry.remainderBase?.text,
        due_date: entry.dueDate,
        customer_number: entry.customer,
        supplier_number: entry.supplier,
        booked_invoice_number: entry.invoice,
        invoice_number: entry.invoice,
      })),
    ],
  ]
}

function invoiceRows({ invoices }: Agreement): readonly (readonly [string, readonly Row[]])[] {
  const text = (cents: number): string => new Money(Math.round(cents)).text
  const numbered = invoices.map(({ number, date }) => ({ booked_invoice_number: number, date }))
  return [
    [
      'booked_invoice',
      invoices.map((invoice, at) => {
        const base = (cents: number): number => Math.round((cents * invoice.rate) / 100)
        const [net, vat] = [netOf(invoice), vatOf(invoice)]
        return {
          ...numbered[at],
          due_date: invoice.dueDate,
          customer_number: invoice.customer,
          currency: invoice.currency,
          net_amount: text(net),
          vat_amount: text(vat),
          gross_amount: text(grossOf(invoice)),
          net_amount_in_base_currency: text(base(net)),
          gross_amount_in_base_currency: text(base(net) + base(vat)),
          remainder: text(invoice.remainder),
          remainder_in_base_currency: text(base(invoice.remainder)),
          payment_terms_number: 1,
          recipient_name: `Kunde ${invoice.customer}`,
        }
      }),
    ],
    ['booked_invoice_document', numbered],
    [
      'booked_invoice_line',
      invoices.flatMap(({ number, lines }) =>
        lines.map(({ lineNumber, product, quantity, unitCents }) => ({
          booked_invoice_number: number,
          line_number: lineNumber,
          sort_key: lineNumber,
          product_number: product,
          description: `Vare ${product}`,
          quantity,
          unit: 'stk.',
          unit_net_price: text(unitCents),
          total_net_amount: text(quantity * unitCents),
          vat_rate: vatRate,
          vat_amount: text((quantity * unitCents * vatRate) / 100),
        })),
      ),
    ],
  ]
}

/** Where the values of columns are that have another name than the member of the record. */
const within: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  account: {
    vat_code: 'vatAccount.vatCode',
    contra_account_number: 'contraAccount.accountNumber',
    total_from_account_number: 'totalFromAccount.accountNumber',
  },
  customer: {
    customer_group_number: 'customerGroup.customerGroupNumber',
    payment_terms_number: 'paymentTerms.paymentTermsNumber',
    vat_zone_number: 'vatZone.vatZoneNumber',
  },
  customer_group: { account_number: 'account.accountNumber' },
  supplier: {
    supplier_group_number: 'supplierGroup.supplierGroupNumber',
    payment_terms_number: 'paymentTerms.paymentTermsNumber',
    vat_zone_number: 'vatZone.vatZoneNumber',
    account_number: 'costAccount.accountNumber',
  },
  product: { product_group_number: 'productGroup.productGroupNumber', unit: 'unit.name' },
  journal: {
    entry_type: 'settings.entryTypeRestrictedTo',
    minimum_voucher_number: 'settings.voucherNumbers.minimumVoucherNumber',
  },
  vat_account: { account_number: 'account.accountNumber', vat_type: 'vatType.name' },
  employee: { employee_group_number: 'employeeGroup.employeeGroupNumber' },
}
const ofDocument = {
  customer_number: 'customer.customerNumber',
  payment_terms_number: 'paymentTerms.paymentTermsNumber',
  recipient_name: 'recipient.name',
}

/** Booleans that the API leaves out when they are false. */
const flags: Readonly<Record<string, readonly string[]>> = {
  account: ['barred', 'block_direct_entries'],
  customer: ['barred'],
  supplier: ['barred'],
  product: ['barred'],
  product_group: ['inventory_enabled'],
  vat_account: ['barred'],
  employee: ['barred'],
}

function rowOf(table: string, record: EconomicRecord): Row {
  const isDocument = table.endsWith('_invoice') || table.endsWith('_order')
  const own = Object.entries(record).flatMap(([member, value]) =>
    value instanceof Money
      ? [[snakeCase(member), value.text]]
      : typeof value === 'object'
        ? []
        : [[snakeCase(member), value]],
  )
  const inner = Object.entries(isDocument ? ofDocument : (within[table] ?? {})).map(([column, path]) => [
    column,
    path.split('.').reduce<unknown>((at, part) => (at as EconomicRecord | undefined)?.[part], record),
  ])
  const absent = (flags[table] ?? []).map((flag) => [flag, false])
  return Object.fromEntries([...absent, ...own, ...inner]) as Row
}

function snakeCase(member: string): string {
  return member.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)
}
