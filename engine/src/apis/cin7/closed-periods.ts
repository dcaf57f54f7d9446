/** Documents of Cin7 Core in closed periods: the entries of its ledger, two sides each. */
import type { ClosedPeriodDefinition } from '../../ports/closed-periods.ts'
import type { StatementNames } from '../../ports/view-names.ts'

const stream = 'transactions'

export const cin7ClosedPeriods: ClosedPeriodDefinition = {
  requiredStreams: [stream],
  ledger: (moved) => {
    const hasAccounts = moved.has('account')
    return {
      streams: [stream, ...(hasAccounts ? ['account'] : [])],
      compares: 'amounts',
      compared: [],
      postings: (names) =>
        [
          side(names, 'debit_account_code', '', hasAccounts),
          side(names, 'credit_account_code', '-1 * ', hasAccounts),
        ].join(' UNION ALL '),
    }
  },
  addressOf: () => null,
}

function side({ table }: StatementNames, account: string, sign: string, hasAccounts: boolean): string {
  const [name, join] = hasAccounts
    ? ['a.name', `LEFT JOIN ${table('account')} AS a ON a.code = e.${account}`]
    : [`NULLIF('', '')`, '']
  return `SELECT e.effective_date AS date, COALESCE(e.type, 'Entry') AS kind, COALESCE(e.task_id, e.entry_id) AS document_id,
      e.reference AS document_number, NULLIF('', '') AS contact, COALESCE(e.${account}, 'none') AS account_id,
      e.${account} AS account_code, ${name} AS account_name, ${sign}e.amount AS amount
    FROM ${table('ledger_entry')} AS e ${join} WHERE e.amount <> 0`
}
