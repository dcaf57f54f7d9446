/** The editor with its toolbar, and the result below it. */
import { ActionIcon, Button, NativeSelect } from '@mantine/core'
import { IconBolt, IconClipboardText, IconDatabase, IconHistory, IconPlus } from '@tabler/icons-react'
import { IconX } from '@tabler/icons-react/visitor-icons'
import { useQuery } from '@tanstack/react-query'
import type { QueryDatabase, QueryRun, SavedQuery } from '@tributary/contract/queries'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useMay, useOrganisationId } from '../../api/session/workspace.ts'
import { useNow } from '../../domain/time/use-now.ts'
import { paths } from '../../paths.ts'
import { lazyDialog } from '../../ui/lazy.tsx'
import { CopyButton } from '../../ui/display/copy-button.tsx'
import { queryTables } from './query-api.ts'
import css from './queries.module.css'
import { QueryResultView } from './query-result-view.tsx'
import { SqlEditor, type SqlEditorHandle } from './sql-editor.tsx'
import { type QueryRunState, type RunRequest, useQueryRun } from './use-query-run.ts'

const LazySaveDialog = lazyDialog(() => import('./save-query-dialog.tsx'), 'SaveQueryDialog')
const LazySavedDrawer = lazyDialog(() => import('./saved-queries-drawer.tsx'), 'SavedQueriesDrawer')
const LazyTargetsDrawer = lazyDialog(() => import('./targets-drawer.tsx'), 'TargetsDrawer')
const LazyHistoryDrawer = lazyDialog(() => import('./history-drawer.tsx'), 'HistoryDrawer')

interface QueryWorkbenchProps {
  readonly databases: readonly QueryDatabase[]
  readonly saved: SavedQuery | null
  readonly runsAtOnce: boolean
}

const noTables: [] = []
type OpenedDialog = 'save' | 'saved' | 'history' | 'targets'

export function QueryWorkbench(props: QueryWorkbenchProps) {
  const { databases, saved } = props
  const editor = useRef<SqlEditorHandle>(null)
  const query = useWorkbench(props)
  function runStatement() {
    if (editor.current !== null) query.start(editor.current.readStatement())
  }
  const [opened, setOpened] = useState<OpenedDialog | null>(null)
  return (
    <div className={css.workbench}>
      <SavedQueryHeading saved={saved} />
      <SqlEditor
        ref={editor}
        initialText={query.text}
        dialect={query.database.Dialect}
        tables={query.tables}
        errorAt={errorPosition(query.run)}
        onChange={query.setText}
        onRun={runStatement}
      />
      <div className={css.toolbar}>
        <RunButtons run={query.run} onRun={runStatement} onCancel={query.cancel} />
        <DatabaseSelect databases={databases} value={query.database.Id} onChange={query.setDatabase} />
        <span className={css.spring} />
        <DialogButtons canSave={query.text.trim() !== ''} onOpen={setOpened} />
      </div>
      <QueryResultView run={query.run} text={query.text} chart={query.chart} onChart={query.setChart} />
      <QueryDialogs saved={saved} editor={editor} query={query} opened={opened} onClose={() => setOpened(null)} />
    </div>
  )
}

const warehouse: QueryDatabase = { Id: 'warehouse', Name: 'Warehouse', Dialect: 'postgres' }

/** The text, where it runs, and its latest run. */
function useWorkbench({ databases, saved, runsAtOnce }: QueryWorkbenchProps) {
  const clientId = useOrganisationId()
  const [text, setText] = useState(saved?.Statement ?? '')
  const [chart, setChart] = useState(saved?.Chart ?? null)
  const [chosen, setDatabase] = useState(saved?.Database ?? warehouse.Id)
  const database = databases.find(({ Id }) => Id === chosen) ?? databases[0] ?? warehouse
  const tables = useQuery(queryTables(clientId, database.Id)).data ?? noTables
  const { run, start, cancel } = useQueryRun()
  const startOnce = useEffectEvent(() => {
    if (runsAtOnce) void start({ database: database.Id, statement: text, offset: 0 })
  })
  useEffect(() => startOnce(), [])
  return {
    text,
    setText,
    chart,
    setChart,
    database,
    setDatabase,
    tables,
    run,
    cancel,
    start: (part: Pick<RunRequest, 'statement' | 'offset'>) => void start({ database: database.Id, ...part }),
  }
}

type Workbench = ReturnType<typeof useWorkbench>

function DialogButtons({ canSave, onOpen }: { canSave: boolean; onOpen: (dialog: OpenedDialog) => void }) {
  const mayQueryTargets = useMay()('queryTargets')
  return (
    <>
      <Button variant="default" onClick={() => onOpen('save')} disabled={!canSave}>
        Save
      </Button>
      <Button variant="default" leftSection={<IconClipboardText />} onClick={() => onOpen('saved')}>
        Saved queries
      </Button>
      <Button variant="default" leftSection={<IconHistory />} onClick={() => onOpen('history')}>
        History
      </Button>
      {mayQueryTargets ? (
        <Button variant="default" leftSection={<IconDatabase />} onClick={() => onOpen('targets')}>
          Own databases
        </Button>
      ) : null}
    </>
  )
}

interface QueryDialogsProps {
  readonly saved: SavedQuery | null
  readonly editor: RefObject<SqlEditorHandle | null>
  readonly query: Workbench
  readonly opened: OpenedDialog | null
  readonly onClose: () => void
}

function QueryDialogs({ saved, editor, query, opened, onClose }: QueryDialogsProps) {
  const { database, text, chart } = query
  function use({ Statement, Database }: QueryRun) {
    editor.current?.setText(Statement)
    query.setDatabase(Database)
    onClose()
  }
  switch (opened) {
    case 'save':
      return <LazySaveDialog saved={saved} database={database.Id} statement={text} chart={chart} onClose={onClose} />
    case 'saved':
      return <LazySavedDrawer openId={saved?.Id ?? null} onClose={onClose} />
    case 'history':
      return <LazyHistoryDrawer onChoose={use} onClose={onClose} />
    case 'targets':
      return <LazyTargetsDrawer onClose={onClose} />
    case null:
      return null
  }
}

/** The place of an error in the text of the editor. */
function errorPosition(run: QueryRunState): number | null {
  if (run.state !== 'done') return null
  const position = run.outcome.Failure?.Position ?? null
  return position === null ? null : position + run.request.offset
}

function SavedQueryHeading({ saved }: { saved: SavedQuery | null }) {
  const navigate = useNavigate()
  if (saved === null) return null
  const link = `${window.location.origin}${paths.query(saved.Id)}?run=true`
  return (
    <div className={css.heading}>
      <h2>{saved.Name}</h2>
      <span className="small subtle">{saved.IsShared ? `Shared by ${saved.Owner}` : 'Only you see it'}</span>
      {saved.IsShared ? <CopyButton text={link} what="link to the result" /> : null}
      <ActionIcon variant="subtle" aria-label="Write a new query" onClick={() => void navigate(paths.queries)}>
        <IconPlus />
      </ActionIcon>
    </div>
  )
}

interface RunButtonsProps {
  readonly run: QueryRunState
  readonly onRun: () => void
  readonly onCancel: () => void
}

function RunButtons({ run, onRun, onCancel }: RunButtonsProps) {
  return run.state === 'running' ? (
    <>
      <Button variant="default" leftSection={<IconX />} onClick={onCancel}>
        Cancel
      </Button>
      <Elapsed since={run.startedAt} />
    </>
  ) : (
    <Button leftSection={<IconBolt />} onClick={onRun} title="Ctrl Enter">
      Run
    </Button>
  )
}

function Elapsed({ since }: { since: number }) {
  const seconds = Math.max(0, Math.round((useNow(1_000) - since) / 1_000))
  return <output className="small subtle">{`Running for ${seconds} s`}</output>
}

interface DatabaseSelectProps {
  readonly databases: readonly QueryDatabase[]
  readonly value: string
  readonly onChange: (id: string) => void
}

/** Most people have one database. */
function DatabaseSelect({ databases, value, onChange }: DatabaseSelectProps) {
  if (databases.length < 2) return null
  return (
    <NativeSelect
      aria-label="Database"
      value={value}
      data={databases.map(({ Id, Name }) => ({ value: Id, label: Name }))}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
