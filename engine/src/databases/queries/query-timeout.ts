import { QueryRefused } from '../../ports/query.ts'

export function queryTimeout(code?: string, cause?: unknown): QueryRefused {
  return new QueryRefused('The query was stopped: it took longer than it may.', {
    hint: 'Narrow it: filter by a date or an indexed column, select fewer columns, or read fewer tables.',
    code,
    cause,
  })
}
