/** The accounts and tax rates with which a company starts its books. */
import type { Random } from '../../random.ts'
import type { XeroCompany } from './company.ts'
import type { XeroAccount, AccountClass, XeroTaxRate } from './records.ts'

interface AccountTemplate {
  readonly code: string
  readonly name: string
  readonly type: string
  readonly class: AccountClass
  readonly system?: string
  readonly tax?: 'sale' | 'purchase'
}

const chart: readonly AccountTemplate[] = [
  { code: '090', name: 'Business Account', type: 'BANK', class: 'ASSET' },
  { code: '091', name: 'Savings Account', type: 'BANK', class: 'ASSET' },
  { code: '200', name: 'Sales', type: 'REVENUE', class: 'REVENUE', tax: 'sale' },
  { code: '205', name: 'Freight Charged', type: 'REVENUE', class: 'REVENUE', tax: 'sale' },
  { code: '260', name: 'Other Revenue', type: 'OTHERINCOME', class: 'REVENUE', tax: 'sale' },
  { code: '270', name: 'Interest Income', type: 'OTHERINCOME', class: 'REVENUE' },
  { code: '310', name: 'Purchases', type: 'DIRECTCOSTS', class: 'EXPENSE', tax: 'purchase' },
  { code: '320', name: 'Freight Paid', type: 'DIRECTCOSTS', class: 'EXPENSE', tax: 'purchase' },
  { code: '400', name: 'Advertising', type: 'OVERHEADS', class: 'EXPENSE', tax: 'purchase' },
  { code: '404', name: 'Bank Fees', type: 'OVERHEADS', class: 'EXPENSE' },
  { code: '416', name: 'Depreciation', type: 'DEPRECIATN', class: 'EXPENSE' },
  { code: '429', name: 'General Expenses', type: 'EXPENSE', class: 'EXPENSE', tax: 'purchase' },
  { code: '433', name: 'Insurance', type: 'EXPENSE', class: 'EXPENSE', tax: 'purchase' },
  { code: '445', name: 'Light, Power & Heating', type: 'EXPENSE', class: 'EXPENSE', tax: 'purchase' },
  { code: '449', name: 'Motor Vehicle Expenses', type: 'EXPENSE', class: 'EXPENSE', tax: 'purchase' },
  { code: '453', name: 'Office Expenses', type: 'EXPENSE', class: 'EXPENSE', tax: 'purchase' },
  { code: '469', name: 'Rent', type: 'EXPENSE', class: 'EXPENSE', tax: 'purchase' },
  { code: '493', name: 'Travel', type: 'EXPENSE', class: 'EXPENSE', tax: 'purchase' },
  { code: '497', name: 'Bank Revaluations', type: 'EXPENSE', class: 'EXPENSE', system: 'BANKCURRENCYGAIN' },
  {
    code: '498',
    name: 'Unrealised Currency Gains',
    type: 'EXPENSE',
    class: 'EXPENSE',
    system: 'UNREALISEDCURRENCYGAIN',
  },
  { code: '499', name: 'Realised Currency Gains', type: 'EXPENSE', class: 'EXPENSE', system: 'REALISEDCURRENCYGAIN' },
  { code: '610', name: 'Accounts Receivable', type: 'CURRENT', class: 'ASSET', system: 'DEBTORS' },
  { code: '630', name: 'Inventory', type: 'INVENTORY', class: 'ASSET' },
  { code: '710', name: 'Office Equipment', type: 'FIXED', class: 'ASSET', tax: 'purchase' },
  { code: '711', name: 'Less Accumulated Depreciation on Office Equipment', type: 'FIXED', class: 'ASSET' },
  { code: '800', name: 'Accounts Payable', type: 'CURRLIAB', class: 'LIABILITY', system: 'CREDITORS' },
  { code: '801', name: 'Unpaid Expense Claims', type: 'CURRLIAB', class: 'LIABILITY', system: 'UNPAIDEXPCLM' },
  { code: '820', name: 'GST', type: 'CURRLIAB', class: 'LIABILITY', system: 'GST' },
  { code: '840', name: 'Historical Adjustment', type: 'CURRLIAB', class: 'LIABILITY', system: 'HISTORICAL' },
  { code: '860', name: 'Rounding', type: 'CURRLIAB', class: 'LIABILITY', system: 'ROUNDING' },
  { code: '877', name: 'Tracking Transfers', type: 'CURRLIAB', class: 'LIABILITY', system: 'TRACKINGTRANSFERS' },
  { code: '900', name: 'Loan', type: 'TERMLIAB', class: 'LIABILITY' },
  { code: '960', name: 'Retained Earnings', type: 'EQUITY', class: 'EQUITY', system: 'RETAINEDEARNINGS' },
  { code: '970', name: 'Owner Funds Introduced', type: 'EQUITY', class: 'EQUITY' },
]

const taxesOf: Readonly<
  Record<string, { readonly name: string; readonly percent: number; readonly types: readonly [string, string] }>
> = {
  NZ: { name: 'GST', percent: 15, types: ['OUTPUT2', 'INPUT2'] },
  AU: { name: 'GST', percent: 10, types: ['OUTPUT', 'INPUT'] },
  GB: { name: 'VAT', percent: 20, types: ['OUTPUT2', 'INPUT2'] },
}

/** In this order: on sales, on purchases, none. */
export function openTaxes(country: string): readonly XeroTaxRate[] {
  const { name, percent, types } = taxesOf[country] ?? { name: 'Tax', percent: 10, types: ['OUTPUT', 'INPUT'] as const }
  return [
    { type: types[0], name: `${percent}% ${name} on Income`, reportType: 'OUTPUT', percent },
    { type: types[1], name: `${percent}% ${name} on Expenses`, reportType: 'INPUT', percent },
    { type: 'NONE', name: `No ${name}`, reportType: 'NONE', percent: 0 },
  ]
}

export function openAccounts(
  random: Random,
  [sale, purchase, none]: readonly XeroTaxRate[],
  at: number,
): XeroAccount[] {
  return chart.map(({ code, name, type, class: kind, system = '', tax }) => ({
    id: random.guid(),
    code,
    name,
    type,
    class: kind,
    status: 'ACTIVE',
    system,
    taxType: (tax === 'sale' ? sale : tax === 'purchase' ? purchase : none)?.type ?? 'NONE',
    bankNumber: type === 'BANK' ? `0601${random.between(10_000_000_000, 99_999_999_999)}00` : null,
    updatedAt: at,
  }))
}

export function accountOf({ accounts }: XeroCompany, code: string): XeroAccount {
  return requireAccount(
    accounts.find((account) => account.code === code),
    code,
  )
}

/** The account with a system role. */
export function systemAccount({ accounts }: XeroCompany, part: string): XeroAccount {
  return requireAccount(
    accounts.find(({ system }) => system === part),
    part,
  )
}

function requireAccount(account: XeroAccount | undefined, name: string): XeroAccount {
  if (account === undefined) throw new Error(`The company has no account ${name}.`)
  return account
}
