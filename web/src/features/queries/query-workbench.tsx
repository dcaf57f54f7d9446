/** The editor with its toolbar, and the result below it. */
import { ActionIcon, Button, NativeSelect } from '@mantine/core'
import { IconBolt, IconClipboardText, IconHistory, IconPlus } from '@tabler/icons-react'
import { IconX } from '@tabler/icons-react/visitor-icons'
import { useQuery } from '@tanstack/react-query'
import type { QueryChart, QueryDatabase, SavedQuery } from '@tributary/contract/queries'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { useNow } from '../../domain/time/use-now.ts'
import { paths } from '../../paths.ts'
import { lazyDialog } from '../../ui/lazy.tsx'
import { CopyButton } from '../../ui/display/copy-button.tsx'
import { queryTables } from './query-api.ts'
import css from './queries.module.css'
import { QueryResultView } from './query-result-view.tsx'
import { SqlEditor, type SqlEditorHandle } from './sql-editor.tsx'
import { type QueryRunState, useQueryRun } from './use-query-run.ts'

const LazySaveDialog = lazyDialog(() => import('./save-query-dialog.tsx'), 'SaveQueryDialog')
const LazySavedDrawer = lazyDialog(() => import('./saved-queries-drawer.tsx'), 'SavedQueriesDrawer')
const LazyHistoryDrawer = lazyDialog(() => import('./history-drawer.tsx'), 'HistoryDrawer')

interface QueryWorkbenchProps {
  readonly databases: readonly QueryDatabase[]
  readonly saved: SavedQuery | null
  readonly runsAtOnce: boolean
}

const noTables: [] = []

export function QueryWorkbench({ databases, saved, runsAtOnce }: QueryWorkbenchProps) {
  const clientId = useOrganisationId()
  const editor = useRef<SqlEditorHandle>(null)
  const [text, setText] = useState(saved?.Statement ?? '')
  const [chart, setChart] = useState<QueryChart | null>(saved?.Chart ?? null)
  const [chosen, setDatabase] = useState(saved?.Database ?? databases[0]?.Id ?? '')
  const database = databases.find(({ Id }) => Id === chosen) ?? databases[0]
  const tables = useQuery(queryTables(clientId)).data ?? noTables
  const { run, start, cancel } = useQueryRun()
  const [opened, setOpened] = useState<'save' | 'saved' | 'history' | null>(null)
  const close = () => setOpened(null)

  function runStatement() {
    if (editor.current !== null) void start({ database: database?.Id ?? '', ...editor.current.readStatement() })
  }
  const runOnce = useEffectEvent(() => {
    if (runsAtOnce) void start({ database: database?.Id ?? '', statement: text, offset: 0 })
  })
  useEffect(() => runOnce(), [])

  return (
    <div className={css.workbench}>
      <SavedQueryHeading saved={saved} />
      <SqlEditor
        ref={editor}
        initialText={text}
        dialect={database?.Dialect ?? 'postgres'}
        tables={database?.Id === 'warehouse' ? tables : noTables}
        errorAt={errorPosition(run)}
        onChange={setText}
        onRun={runStatement}
      />
      <div className={css.toolbar}>
        <RunButtons run={run} onRun={runStatement} onCancel={cancel} />
        <DatabaseSelect databases={databases} value={database?.Id ?? ''} onChange={setDatabase} />
        <span className={css.spring} />
        <Button variant="default" onClick={() => setOpened('save')} disabled={text.trim() === ''}>
          Save
        </Button>
        <Button variant="default" leftSection={<IconClipboardText />} onClick={() => setOpened('saved')}>
          Saved queries
        </Button>
        <Button variant="default" leftSection={<IconHistory />} onClick={() => setOpened('history')}>
          History
        </Button>
      </div>
      <QueryResultView run={run} text={text} chart={chart} onChart={setChart} />
      {opened === 'save' ? (
        <LazySaveDialog saved={saved} database={database?.Id ?? ''} statement={text} chart={chart} onClose={close} />
      ) : null}
      {opened === 'saved' ? <LazySavedDrawer openId={saved?.Id ?? null} onClose={close} /> : null}
      {opened === 'history' ? (
        <LazyHistoryDrawer
          onChoose={(one) => {
            editor.current?.setText(one.Statement)
            setDatabase(one.Database)
            close()
          }}
          onClose={close}
        />
      ) : null}
    </div>
  )
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
