import type { RunDetail } from '@tributary/contract/runs'
import { Link } from 'react-router'
import { isAdminRole } from '../../api/connector-state.ts'
import { useWorkspace } from '../../api/workspace.ts'
import { paths } from '../../paths.ts'
import { Note } from '../../ui/note.tsx'
import { ClockTime } from '../../ui/relative-time.tsx'
import { mayMendInSettings, whoActs } from './run-look.ts'

const tones = { FAILED: 'error', WAITING: 'warn', QUEUED: 'info', RUNNING: 'info', COMPLETED: 'info', CANCELLED: 'info' } as const

/** What went wrong, who must act, and when it is tried again. */
export function RunFault({ run, type }: { run: RunDetail; type: string | null }) {
  const { FaultKind, FaultCode, Notice, Status } = run
  if (Notice === null && FaultKind === null) return null
  return (
    <Note tone={tones[Status]} {...(Notice === null ? {} : { title: Notice })}>
      {FaultKind === null ? null : <p>{whoActs[FaultKind]}</p>}
      {Status === 'WAITING' ? <NextAttempt run={run} /> : null}
      {type !== null && mayMendInSettings(FaultKind) ? <SettingsLink type={type} /> : null}
      {FaultCode === null ? null : (
        <p>
          <code>{FaultCode}</code>
        </p>
      )}
    </Note>
  )
}

function NextAttempt({ run: { Attempt, RetryAtUtc } }: { run: RunDetail }) {
  if (RetryAtUtc === null) return null
  return (
    <p>
      {Attempt > 1 ? `Tried ${Attempt} times. ` : null}Next attempt <ClockTime at={RetryAtUtc} />.
    </p>
  )
}

function SettingsLink({ type }: { type: string }) {
  const { identity } = useWorkspace()
  return isAdminRole(identity.role) ? <Link to={paths.manage(type)}>Open the settings</Link> : null
}
