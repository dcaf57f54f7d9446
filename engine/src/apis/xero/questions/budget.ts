/** Budget against actual by area and subarea: loaded plans next to the profit and loss. */
import type { BudgetTable, QuestionContext, ReadyQuestion } from '../../../ports/questions.ts'
import type { StatementNames } from '../../../ports/view-names.ts'
import { nullText, roundToCents } from '../ledger/posting.ts'
import { ledgerStreams } from '../ledger/tie-out.ts'
import { baseCurrency, describedAccount, isEarned, monthlyMovements } from './movements.ts'
import { trackedView } from './tracked-ledger.ts'

const [, describedCode, describedName] = describedAccount

/** @param tables the plans in the same database, at least one */
export function budgetAgainstActual(tables: readonly BudgetTable[]): ReadyQuestion {
  return {
    name: 'budget_against_actual',
    title: 'How do we stand against the budget, by area and subarea?',
    description: `Each loaded version and milestone next to the profit and loss of its months. A posting belongs to the area, and to the subarea, that one of its tracking options is named after; otherwise to the subarea that its account’s name or code equals. What matches nothing has rows without area or subarea, so that the actual amounts of a version, milestone and month add up to the profit and loss. Plans of an entity that is not named like the company are rows without actual amounts. Capitals and blanks around names do not matter. ${baseCurrency}`,
    columns: [
      { name: 'version', description: 'The version, such as Budget 2026.' },
      {
        name: 'milestone',
        description: 'The milestone. Compare one at a time: each is next to the whole profit and loss.',
      },
      {
        name: 'entity',
        description:
          'The entity of the plan; for actual amounts, the entity that is named like the company, or the company.',
      },
      { name: 'area', description: 'The area; empty for postings that match none.' },
      { name: 'subarea', description: 'The subarea; empty for postings that match none.' },
      { ...describedCode, description: `${describedCode.description} Empty if the plan has no column of accounts.` },
      {
        ...describedName,
        description: `${describedName.description} Empty if the plan has no column of accounts, or names one that does not exist.`,
      },
      { name: 'month', description: 'The first day of the calendar month.' },
      { name: 'budget', description: 'The planned amount, as it was loaded.' },
      {
        name: 'actual',
        description:
          'With a column of accounts: the amount as on the statement, income and costs positive. Without one: the effect on profit.',
      },
      { name: 'difference', description: 'Actual less budget.' },
    ],
    requiredStreams: [...ledgerStreams, 'TrackingCategories'],
    select: (words, context) => {
      const parts = tables.flatMap((plan) => [planned(words, plan), actual(words, context, plan)])
      const keys = 'u.version, u.milestone, u.entity, u.area, u.subarea, u.account_code, u.month'
      return `SELECT r.version, r.milestone, r.entity, r.area, r.subarea, r.account_code, a.name AS account_name, r.month,
          ${roundToCents('r.budget')} AS budget, ${roundToCents('r.actual')} AS actual, ${roundToCents('r.actual - r.budget')} AS difference
        FROM (SELECT ${keys}, SUM(u.budget) AS budget, SUM(u.actual) AS actual
          FROM (${parts.join(' UNION ALL ')}) AS u GROUP BY ${keys}) AS r
        LEFT JOIN ${words.table('account')} AS a ON a.code = r.account_code
        WHERE r.budget <> 0 OR r.actual <> 0`
    },
  }
}

const none = roundToCents('0')
const plain = (name: string): string => `LOWER(LTRIM(RTRIM(${name})))`
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The column may have a time. */
function dayOf(quote: StatementNames['quote'], plan: BudgetTable): string {
  return `CAST(b.${quote(plan.month)} AS date)`
}

function planned({ quote, month }: StatementNames, plan: BudgetTable): string {
  const account = plan.account === null ? nullText : `LTRIM(RTRIM(CAST(b.${quote(plan.account)} AS char(50))))`
  return `SELECT ${literal(plan.version)} AS version, b.${quote('Milestone')} AS milestone, b.${quote('Entity')} AS entity,
      b.${quote('Area')} AS area, b.${quote('Subarea')} AS subarea, ${account} AS account_code,
      ${month(dayOf(quote, plan))} AS month, COALESCE(b.${quote(plan.amount)}, 0) AS budget, ${none} AS actual
    FROM ${plan.table} AS b`
}

/** The profit and loss in the months of the plan, once for each of its milestones. */
function actual(words: StatementNames, context: QuestionContext, plan: BudgetTable): string {
  const { table, quote, month } = words
  const months = `SELECT b.${quote('Milestone')} AS milestone, MIN(${month(dayOf(quote, plan))}) AS first_month,
      MAX(${month(dayOf(quote, plan))}) AS last_month FROM ${plan.table} AS b GROUP BY b.${quote('Milestone')}`
  const entity = `SELECT COALESCE(MAX(b.${quote('Entity')}), MAX(o.name)) AS entity
    FROM ${table('organisation')} AS o LEFT JOIN ${plan.table} AS b ON ${plain(`b.${quote('Entity')}`)} IN (${plain('o.name')}, ${plain(`COALESCE(o.legal_name, '')`)})`
  const amount =
    plan.account === null ? '-1 * p.amount' : `CASE WHEN a.class = 'REVENUE' THEN -1 * p.amount ELSE p.amount END`
  return `SELECT ${literal(plan.version)} AS version, m.milestone, e.entity, p.area,
      COALESCE(p.subarea, s.name, c.name) AS subarea, ${plan.account === null ? nullText : 'a.code'} AS account_code, p.month, ${none} AS budget, ${amount} AS actual
    FROM (${postings(words, context, plan)}) AS p JOIN ${table('account')} AS a ON a.account_id = p.account_id
    LEFT JOIN (${namesIn(words, plan, 'Subarea')}) AS s ON s.plain = ${plain('a.name')}
    LEFT JOIN (${namesIn(words, plan, 'Subarea')}) AS c ON c.plain = ${plain('a.code')}
    CROSS JOIN (${entity}) AS e JOIN (${months}) AS m ON p.month >= m.first_month AND p.month <= m.last_month
    WHERE ${isEarned('a')}`
}

/** Postings with an area or subarea by their tracking options, and the rest of each account and month. */
function postings(words: StatementNames, context: QuestionContext, plan: BudgetTable): string {
  const { table, view } = words
  const lines = `SELECT t.month, t.account_id, MAX(t.amount) AS amount, MAX(x.name) AS area, MAX(y.name) AS subarea
    FROM ${view(trackedView)} AS t LEFT JOIN ${table('tracking_option')} AS o ON o.tracking_option_id = t.tracking_option_id
    LEFT JOIN (${namesIn(words, plan, 'Area')}) AS x ON x.plain = ${plain('COALESCE(o.name, t.tracking_option)')}
    LEFT JOIN (${namesIn(words, plan, 'Subarea')}) AS y ON y.plain = ${plain('COALESCE(o.name, t.tracking_option)')}
    GROUP BY t.month, t.account_id, t.document_id, t.line_id`
  const tracked = `SELECT n.month, n.account_id, SUM(n.amount) AS amount FROM (${lines}) AS n GROUP BY n.month, n.account_id`
  return `SELECT l.month, l.account_id, l.amount, l.area, l.subarea FROM (${lines}) AS l
    UNION ALL SELECT v.month, v.account_id, v.amount - COALESCE(w.amount, 0) AS amount, ${nullText} AS area, ${nullText} AS subarea
      FROM (${monthlyMovements(words, context)}) AS v LEFT JOIN (${tracked}) AS w ON w.month = v.month AND w.account_id = v.account_id`
}

/** The names of a dimension in the plan, each once, with the form in which it is compared. */
function namesIn({ quote }: StatementNames, plan: BudgetTable, column: 'Area' | 'Subarea'): string {
  return `SELECT ${plain(`b.${quote(column)}`)} AS plain, MAX(b.${quote(column)}) AS name FROM ${plan.table} AS b GROUP BY ${plain(`b.${quote(column)}`)}`
}
