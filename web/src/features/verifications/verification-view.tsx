/** Verification of a connector: the verdict, its tables, the rows that differ, and when the tables are verified. */
import type { Verification } from '@tributary/contract/verifications'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import type { ConnectorParams } from '../../api/queries/runs.ts'
import { useMay } from '../../api/session/workspace.ts'
import { CertifyButton } from '../../domain/certificates/certify-button.tsx'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { VerificationBadge } from '../../domain/verifications/verification-summary.tsx'
import { describeNewerRows, describeSource, verdictWords } from '../../domain/verifications/verification-words.ts'
import { Callout } from '../../ui/feedback/callout.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { formatCount } from '../../ui/formats.ts'
import { useUrlParams } from '../../ui/hooks/search-params.ts'
import { DrawerSection } from '../../ui/layout/drawer-section.tsx'
import { verificationOf } from './api.ts'
import { DifferencesList } from './differences-list.tsx'
import { RepairDialog } from './repair-dialog.tsx'
import { useStartVerification } from './use-start-verification.ts'
import { VerificationSettingsForm } from './verification-settings-form.tsx'
import { VerifiedTables } from './verified-tables.tsx'
import css from './verifications.module.css'

interface VerificationViewProps {
  readonly ids: ConnectorParams
  readonly title: string
  /** False for a connector that another organisation shares. */
  readonly isOwn: boolean
  readonly onRun: (runId: string) => void
}

export function VerificationView({ ids, title, isOwn, onRun }: VerificationViewProps) {
  const query = useQuery(verificationOf(ids))
  const [isRepairing, setRepairing] = useState(false)
  const start = useStartVerification({ ids, title }, onRun)
  const may = useMay()
  const stream = useUrlParams().get('table')
  return (
    <div className={css.view}>
      <MutationError of={start} />
      <QueryResult query={query}>
        {(verification) =>
          verification.Tables.length === 0 ? (
            <EmptyState kind="first" title="Nothing to verify yet.">
              After the first run, the rows in the target are compared with the source, value by value.
            </EmptyState>
          ) : (
            <>
              <SourceVerdict verification={verification} />
              <Buttons
                ids={ids}
                verification={verification}
                isOwn={isOwn}
                isStarting={start.isPending}
                onVerify={() => start.mutate({ repair: false })}
                onRepair={() => setRepairing(true)}
              />
              <VerifiedTables
                ids={ids}
                tables={verification.Tables}
                mayRepair={may('reloadTables') && isOwn}
                maySeeDifferences={may('seeDifferences') && isOwn}
                onVerify={(name) => start.mutate({ repair: false, streams: [name] })}
                onRun={onRun}
                title={title}
              />
              {may('seeDifferences') && isOwn ? (
                <DifferencesList ids={ids} tables={verification.Tables} stream={stream} />
              ) : null}
              <SettingsSection ids={ids} settings={verification.Settings} mayEdit={may('editConnector') && isOwn} />
            </>
          )
        }
      </QueryResult>
      {isRepairing ? (
        <RepairDialog ids={ids} title={title} table={null} onStarted={onRun} onClose={() => setRepairing(false)} />
      ) : null}
    </div>
  )
}

interface ButtonsProps {
  readonly ids: ConnectorParams
  readonly verification: Verification
  readonly isOwn: boolean
  readonly isStarting: boolean
  readonly onVerify: () => void
  readonly onRepair: () => void
}

function Buttons({ ids, verification: { Source }, isOwn, isStarting, onVerify, onRepair }: ButtonsProps) {
  const may = useMay()
  return (
    <div className={css.buttons}>
      <Button onClick={onVerify} loading={isStarting}>
        Verify now
      </Button>
      {may('reloadTables') && isOwn ? (
        <Button variant="default" onClick={onRepair} disabled={Source.Differences === 0}>
          Repair all
        </Button>
      ) : null}
      {isOwn && Source.CheckedAtUtc !== null ? (
        <CertifyButton
          label="Certificate of the verification"
          issue={() =>
            call('POST /tributary/clients/:clientId/connectors/:connectorId/verification/certificate', { params: ids })
          }
        />
      ) : null}
    </div>
  )
}

interface SettingsSectionProps {
  readonly ids: ConnectorParams
  readonly settings: Verification['Settings']
  readonly mayEdit: boolean
}

function SettingsSection({ ids, settings, mayEdit }: SettingsSectionProps) {
  if (settings === null) return null
  return (
    <DrawerSection title="When tables are verified">
      <VerificationSettingsForm
        key={`${settings.Schedule} ${settings.SecondsAfterRuns}`}
        ids={ids}
        settings={settings}
        mayEdit={mayEdit}
      />
    </DrawerSection>
  )
}

function SourceVerdict({ verification: { Source } }: { verification: Verification }) {
  const { Verdict, Overdue, NewerRows, Verified, Tables } = Source
  return (
    <div className={css.summary}>
      <p className={css.state}>
        <VerificationBadge verification={Source} />
        <strong>{describeSource(Source)}</strong>
      </p>
      <p className="small muted">
        {Verdict === null
          ? `${formatCount(Verified)} of ${formatCount(Tables)} tables have been verified.`
          : verdictWords[Verdict].detail}{' '}
        {describeNewerRows(NewerRows)}
      </p>
      {Overdue > 0 ? (
        <Callout tone="warn">
          {Overdue === 1 ? 'One table was' : `${formatCount(Overdue)} tables were`} not verified within seven days. The
          time after the runs is too short for all tables: allow more of it below, or verify now.
        </Callout>
      ) : null}
    </div>
  )
}
