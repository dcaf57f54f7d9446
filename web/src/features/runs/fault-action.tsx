import type { Connector } from '@tributary/contract/connectors'
import type { FaultCard, RunDetail } from '@tributary/contract/runs'
import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { catalogue } from '../../api/queries/common-queries.ts'
import { isUnfinished } from '../../api/queries/runs.ts'
import { useStartRun } from '../../domain/runs/use-start-run.ts'
import { useMay } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { useCopy } from '../../ui/display/copy-button.tsx'
import { formatElapsed } from '../../domain/time/relative-time.tsx'
import { useNow } from '../../domain/time/use-now.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { ConnectorLink, useOpenConnector } from '../../domain/connectors/connector-link.tsx'
import css from './fault-card.module.css'
import { formatMoment } from '../../ui/formats.ts'

export interface FaultActionProps {
  card: FaultCard
  run: RunDetail
  /** Undefined until loaded. */
  connector: Connector | undefined
  onReviewRows: () => void
}

type FaultActionKind = FaultCard['Action']['Kind']

/** Button for the action of a fault card; nothing if another person must act. */
export function FaultAction(props: FaultActionProps) {
  const Action = actionsByKind[props.card.Action.Kind]
  return <Action {...props} />
}

const actionsByKind: Record<FaultActionKind, (props: FaultActionProps) => ReactNode> = {
  edit: SettingsLink,
  reconnect: SettingsLink,
  copy: ({ card: { Action } }) =>
    Action.Copy === null ? null : <CopyableText label={Action.Label} text={Action.Copy} />,
  wait: ({ card: { Action }, run }) => {
    if (Action.AtUtc === null) return <p className={css.wait}>{Action.Label}.</p>
    return isUnfinished(run) ? <RetryCountdown label={Action.Label} at={Action.AtUtc} /> : null
  },
  retry: ({ card, run, connector }) =>
    connector === undefined ? null : <RetryRunButton label={card.Action.Label} connector={connector} run={run} />,
  reviewRows: ({ card, onReviewRows }) => (
    <Button className={css.act} onClick={onReviewRows}>
      {card.Action.Label}
    </Button>
  ),
  reviewChanges: ({ card, run }) => (
    <Button component={ConnectorLink} connectorId={run.ConnectorId} view="changes" className={css.act}>
      {card.Action.Label}
    </Button>
  ),
  tellProvider: ({ card: { Action }, run }) => (
    <CopyableText label={Action.Label} text={Action.Copy ?? runReference(run)} />
  ),
}

function SettingsLink({ card, connector }: FaultActionProps) {
  const may = useMay()
  const types = useQuery(catalogue).data
  if (connector === undefined || connector.SharedBy !== null || !may('editConnector')) return null
  const { Id, Type } = connector
  const signsIn =
    card.Action.Kind === 'reconnect' && types?.find((type) => type.Type === Type)?.RequiresAuthorisation === true
  return (
    <Button
      component={Link}
      to={signsIn ? paths.reconnect(Type, Id) : `${paths.manage(Type)}?edit=${Id}`}
      className={css.act}
    >
      {card.Action.Label}
    </Button>
  )
}

/** What the provider needs to find the run in its logs. */
function runReference({ Id, FaultCode, CompletedAtUtc, Notice }: RunDetail): string {
  return [`Run ${Id}`, FaultCode, CompletedAtUtc, Notice].filter((part) => part !== null).join('\n')
}

/** Text to send to another person, such as a statement for a database administrator. */
function CopyableText({ label, text }: { label: string; text: string }) {
  const { isCopied, copy } = useCopy(text, 'message')
  return (
    <>
      <pre className={css.statement}>{text}</pre>
      <Button className={css.act} leftSection={isCopied ? <IconCheck /> : <IconCopy />} onClick={() => void copy()}>
        {isCopied ? 'Copied' : label}
      </Button>
    </>
  )
}

function RetryCountdown({ label, at }: { label: string; at: string }) {
  const remainingMs = Date.parse(at) - useNow(1_000)
  return (
    <p className={css.countdown}>
      <span>{label}</span>
      <strong className="num" title={formatMoment(at, 'exact')}>
        {remainingMs > 0 ? `in ${formatElapsed(remainingMs)}` : 'any moment now'}
      </strong>
    </p>
  )
}

/** Starts a run with the scope of the failed one. */
function RetryRunButton({ label, connector, run }: { label: string; connector: Connector; run: RunDetail }) {
  const may = useMay()
  const openConnector = useOpenConnector(connector.Id)
  const start = useStartRun(connector, (next) => openConnector({ run: next }))
  const isPart = run.OnlyStreams !== null || run.FromUtc !== null
  const mayRetry = isPart ? may('reloadTables') : may('refreshConnector')
  const mode = run.Mode === 'full' && (run.OnlyStreams !== null || may('chooseRunMode')) ? 'full' : 'incremental'
  if (!mayRetry) return null
  return (
    <>
      <MutationError of={start} />
      <Button
        className={css.act}
        loading={start.isPending}
        onClick={() =>
          start.mutate({
            mode,
            ...(run.OnlyStreams !== null && { streams: run.OnlyStreams }),
            ...(run.FromUtc !== null && { from: run.FromUtc }),
          })
        }
      >
        {label}
      </Button>
    </>
  )
}
