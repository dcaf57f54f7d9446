/** The PostgreSQL servers that hold warehouses: the list, and a dialog that adds or changes one. */
import type { DataServer } from '@tributary/contract/data-servers'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { IconAlertTriangle } from '@tabler/icons-react/visitor-icons'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../api/call.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'
import css from '../../domain/admin/admin.module.css'
import { dataServerList } from '../../domain/data-servers/queries.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { formatSize } from '../../ui/formats.ts'
import { lazyDialog } from '../../ui/lazy.tsx'

const LazyDataServerDialog = lazyDialog(() => import('./data-server-dialog.tsx'), 'DataServerDialog')

/** The server to change; null to add one. */
type OpenServerDialog = { readonly server: DataServer | null }

export function DataServersPanel() {
  const servers = useQuery(dataServerList)
  const [opened, setOpened] = useState<OpenServerDialog | null>(null)
  const remove = useRemoveServer()
  const check = useCheckServer()
  return (
    <Panel
      title="Data servers"
      aside={
        <Button variant="default" leftSection={<IconPlus />} onClick={() => setOpened({ server: null })}>
          Add server
        </Button>
      }
    >
      <p className="small subtle">
        PostgreSQL servers that hold the warehouses of organisations. The first one comes from the settings. A server
        that accepts no new warehouses is drained by moving its organisations, on Organisations.
      </p>
      <MutationError of={remove} />
      <MutationError of={check} />
      <QueryResult query={servers}>
        {(list) => (
          <ul className={css.settings} aria-label="Data servers">
            {list.map((server) => (
              <ServerRow
                key={server.Id}
                server={server}
                result={check.data?.id === server.Id ? check.data : null}
                onEdit={() => setOpened({ server })}
                onCheck={() => check.mutate(server)}
                onRemove={() => remove.mutate(server)}
              />
            ))}
          </ul>
        )}
      </QueryResult>
      {opened === null ? null : <LazyDataServerDialog server={opened.server} onClose={() => setOpened(null)} />}
    </Panel>
  )
}

interface ServerRowProps {
  server: DataServer
  /** What the last test found. */
  result: CheckResult | null
  onEdit: () => void
  onCheck: () => void
  onRemove: () => void
}

function ServerRow({ server, result, onEdit, onCheck, onRemove }: ServerRowProps) {
  const { Id, Name, Region, Host, Port, IsDefault, Databases } = server
  const titleId = `data-server-${Id}`
  return (
    <li className={css.setting}>
      <div>
        <strong id={titleId}>{Name}</strong>
        <p className="small subtle">
          {[Region, `${Host}:${Port}`, usageOf(server)].filter((part) => part !== null).join(' · ')}
        </p>
        <output className="small">
          {result === null ? <Health of={server} /> : <Finding isGood={result.isReady}>{result.text}</Finding>}
        </output>
      </div>
      <div className={css.filters}>
        <Button variant="default" px={12} aria-describedby={titleId} onClick={onCheck}>
          Test
        </Button>
        <Button variant="default" px={12} aria-describedby={titleId} onClick={onEdit}>
          Edit
        </Button>
        {IsDefault || Databases > 0 ? null : (
          <Button variant="subtle" px={12} aria-describedby={titleId} onClick={onRemove}>
            Remove
          </Button>
        )}
      </div>
    </li>
  )
}

function usageOf({ Databases, DatabasesMax, SizeBytes, SizeMaxBytes, AcceptsNew }: DataServer): string {
  const databases = DatabasesMax === null ? String(Databases) : `${Databases} of ${DatabasesMax}`
  const size = SizeBytes === null ? '' : `, ${formatSize(SizeBytes)}`
  const limit = SizeBytes === null || SizeMaxBytes === null ? '' : ` of ${formatSize(SizeMaxBytes)}`
  return `${databases} ${Databases === 1 && DatabasesMax === null ? 'warehouse' : 'warehouses'}${size}${limit}${AcceptsNew ? '' : ', accepts no new ones'}`
}

function Health({ of: { CheckedAtUtc, UnreachableSinceUtc } }: { of: DataServer }) {
  if (UnreachableSinceUtc !== null)
    return (
      <Finding isGood={false}>
        Does not answer since <RelativeTime at={UnreachableSinceUtc} />: reports and runs of its organisations wait.
      </Finding>
    )
  if (CheckedAtUtc === null) return 'Not checked yet.'
  return (
    <>
      Answers. Checked <RelativeTime at={CheckedAtUtc} />.
    </>
  )
}

function Finding({ isGood, children }: { isGood: boolean; children: ReactNode }) {
  if (isGood) return children
  return (
    <span className={css.problem}>
      <IconAlertTriangle /> <span>{children}</span>
    </span>
  )
}

interface CheckResult {
  readonly id: string
  readonly isReady: boolean
  readonly text: string
}

function useCheckServer() {
  return useMutation({
    mutationFn: async ({ Id, Name }: DataServer): Promise<CheckResult> => {
      const { IsReady, Version, Problems } = await call('POST /admin/data-servers/:serverId/check', {
        params: { serverId: Id },
      })
      const text = IsReady ? `${Name} is ready: PostgreSQL ${Version ?? ''}.` : Problems.join(' ')
      return { id: Id, isReady: IsReady, text }
    },
  })
}

function useRemoveServer() {
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: ({ Id }: DataServer) => call('DELETE /admin/data-servers/:serverId', { params: { serverId: Id } }),
    onSuccess: async () => {
      await invalidate(dataServerList)
      announceToScreenReader('The server is removed.')
    },
  })
}
