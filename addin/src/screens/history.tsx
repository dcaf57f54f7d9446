/** The loads of the organisation, latest first. */
import { Button } from '@fluentui/react-button'
import { Field } from '@fluentui/react-field'
import { Input } from '@fluentui/react-input'
import { makeStyles } from '@griffel/react'
import { searchDebounceMs } from '@tributary/contract/limits'
import type { Load } from '@tributary/contract/loads'
import { useEffect, useState } from 'react'
import { call } from '../api/call.ts'
import { useScreenQuery } from '../api/use-screen-query.ts'
import { Failure, Waiting } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'
import { useTableStyles } from '../ui/tables.tsx'
import { formatRowCount, formatTime, statusWords } from '../ui/load-wording.ts'

interface HistoryProps {
  organisationId: string
  onBack: () => void
  onOpen: (load: Load) => void
}

const pageSize = 25
/** The server returns at most a thousand loads. */
const pagesMax = 40

/** The latest result, which stays on screen while more loads of the same search are fetched, and if that fails. */
interface LatestResult {
  readonly search: string
  readonly loads?: readonly Load[]
}

export function History({ organisationId: orgId, onBack, onOpen }: HistoryProps) {
  const [input, setInput] = useState('')
  const search = useDebounced(input.trim())
  const [pages, setPages] = useState(1)
  const { data, error, isFetching, refetch } = useScreenQuery({
    queryKey: ['loads', orgId, search, pages],
    queryFn: (signal) =>
      call('GET /loads', { query: { orgId, pageSize: pageSize * pages, ...(search !== '' && { search }) }, signal }),
  })
  const [latest, setLatest] = useState<LatestResult>({ search })
  if (data !== undefined && data !== latest.loads) setLatest({ search, loads: data })
  const loads = data ?? (latest.search === search ? latest.loads : undefined)
  return (
    <Screen title="History" onBack={onBack}>
      <Field label="Search" hint="Who, workbook, sheet, table, or what the rows belong to">
        <Input
          type="search"
          value={input}
          onChange={(_, { value }) => {
            setInput(value)
            setPages(1)
          }}
        />
      </Field>
      <Failure error={error} onRetry={refetch} />
      {isFetching ? <Waiting>Looking for loads…</Waiting> : null}
      {loads === undefined ? null : <LoadList loads={loads} search={search} onOpen={onOpen} />}
      {!isFetching && loads?.length === pageSize * pages && pages < pagesMax ? (
        <Button onClick={() => setPages(pages + 1)}>Show more</Button>
      ) : null}
    </Screen>
  )
}

const useStyles = makeStyles({
  load: { display: 'block', width: '100%', textAlign: 'left', fontWeight: 'inherit', padding: '8px' },
})

interface LoadListProps {
  loads: readonly Load[]
  search: string
  onOpen: (load: Load) => void
}

function LoadList({ loads, search, onOpen }: LoadListProps) {
  const tableStyles = useTableStyles()
  const styles = useStyles()
  if (loads.length === 0)
    return (
      <output>
        {search === '' ? 'Nothing has been loaded yet.' : `No load has ‘${search}’ in it. Search for less.`}
      </output>
    )
  return (
    <ul className={tableStyles.list}>
      {loads.map((load) => (
        <li key={load.Id}>
          <Button className={styles.load} onClick={() => onOpen(load)}>
            <strong>{load.RecordName}</strong>
            <div className={tableStyles.quiet}>
              {`${statusWords[load.Status]} · ${formatRowCount(load.Rows)} · ${load.By}`}
            </div>
            <div className={tableStyles.quiet}>{`${load.Sheet} of ${load.Workbook}`}</div>
            <div className={tableStyles.quiet}>{formatTime(load.CommittedAtUtc ?? load.BeganAtUtc)}</div>
          </Button>
        </li>
      ))}
    </ul>
  )
}

function useDebounced(input: string): string {
  const [debounced, setDebounced] = useState(input)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(input), searchDebounceMs)
    return () => clearTimeout(timer)
  }, [input])
  return debounced
}
