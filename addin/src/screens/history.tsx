/** The receipts of the organisation, latest first. */
import { Button } from '@fluentui/react-button'
import { Field } from '@fluentui/react-field'
import { Input } from '@fluentui/react-input'
import { makeStyles } from '@griffel/react'
import { searchDebounceMs } from '@tributary/contract/limits'
import type { Load } from '@tributary/contract/loads'
import { useEffect, useState } from 'react'
import { call } from '../api/call.ts'
import { Failure, Waiting } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'
import { useTableStyles } from '../ui/tables.tsx'
import { useAsk } from '../ui/use-request.ts'
import { rowsWord, statusWords, timeWord } from '../ui/load-wording.ts'

interface HistoryProps {
  organisationId: string
  onBack: () => void
  onOpen: (load: Load) => void
}

const pageSize = 25

/** What was found last stays in sight while more of it is asked for. */
interface Kept {
  readonly search: string
  readonly loads?: readonly Load[]
}

export function History({ organisationId: orgId, onBack, onOpen }: HistoryProps) {
  const [typed, setTyped] = useState('')
  const search = useSettled(typed.trim())
  const [pages, setPages] = useState(1)
  const asked = useAsk(JSON.stringify([search, pages]), async (signal) => {
    const query = { orgId, pageSize: pageSize * pages, ...(search !== '' && { search }) }
    return call('GET /loads', { query, signal })
  })
  const [kept, setKept] = useState<Kept>({ search })
  if (asked.value !== undefined && asked.value !== kept.loads) setKept({ search, loads: asked.value })
  const loads = asked.value ?? (kept.search === search ? kept.loads : undefined)
  return (
    <Screen title="History" onBack={onBack}>
      <Field label="Search" hint="Who, workbook, sheet, table, or what the rows belong to">
        <Input
          type="search"
          value={typed}
          onChange={(_, { value }) => {
            setTyped(value)
            setPages(1)
          }}
        />
      </Field>
      <Failure error={asked.error} onRetry={asked.again} />
      {asked.isWaiting ? <Waiting>Looking for loads…</Waiting> : null}
      {loads === undefined ? null : <Loads loads={loads} search={search} onOpen={onOpen} />}
      {!asked.isWaiting && loads?.length === pageSize * pages && pages < pagesMax ? (
        <Button onClick={() => setPages(pages + 1)}>Show more</Button>
      ) : null}
    </Screen>
  )
}

/** The server gives a thousand at once. */
const pagesMax = 40

const useStyles = makeStyles({
  one: { display: 'block', width: '100%', textAlign: 'left', fontWeight: 'inherit', padding: '8px' },
})

function Loads({ loads, search, onOpen }: { loads: readonly Load[]; search: string; onOpen: (load: Load) => void }) {
  const styles = useTableStyles()
  const own = useStyles()
  if (loads.length === 0)
    return (
      <output>
        {search === '' ? 'Nothing has been loaded yet.' : `No load has ‘${search}’ in it. Search for less.`}
      </output>
    )
  return (
    <ul className={styles.list}>
      {loads.map((load) => (
        <li key={load.Id}>
          <Button className={own.one} onClick={() => onOpen(load)}>
            <strong>{load.RecordName}</strong>
            <div className={styles.quiet}>{`${statusWords[load.Status]} · ${rowsWord(load.Rows)} · ${load.By}`}</div>
            <div className={styles.quiet}>{`${load.Sheet} of ${load.Workbook}`}</div>
            <div className={styles.quiet}>{timeWord(load.CommittedAtUtc ?? load.BeganAtUtc)}</div>
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** What was typed, once nobody types any more. */
function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), searchDebounceMs)
    return () => clearTimeout(timer)
  }, [typed])
  return settled
}
