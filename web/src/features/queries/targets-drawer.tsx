/** The organisation's own databases: administrators store a login for reading, which must prove that it cannot write. */
import type { QueryTarget, ReadingLoginProof } from '@tributary/contract/queries'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { TablesOnlyConnectors } from '../../domain/connectors/tables-only-connectors.tsx'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { CopyButton } from '../../ui/display/copy-button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { PasswordField, TextField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { EntryButton, EntryList, EntryListItem } from '../../ui/layout/entry-list.tsx'
import { queryTargets, useCheckLogin, useRemoveLogin, useSaveLogin } from './query-api.ts'
import css from './queries.module.css'

export function TargetsDrawer({ onClose }: { onClose: () => void }) {
  const query = useQuery(queryTargets(useOrganisationId()))
  const [edited, setEdited] = useState<QueryTarget | null>(null)
  if (edited !== null) return <LoginDialog target={edited} onClose={() => setEdited(null)} />
  return (
    <Dialog
      kind="drawer"
      title="Own databases"
      subtitle="Administrators query them under a second login that only reads"
      onClose={onClose}
    >
      <QueryResult query={query}>
        {(targets) =>
          targets.length === 0 ? (
            <EmptyState kind="first" title="No connector has a target of its own.">
              Their tables are in the warehouse, where everyone queries what they may read.
            </EmptyState>
          ) : (
            <EntryList>
              {targets.map((target) => (
                <TargetEntry key={target.ConnectorId} target={target} onEdit={() => setEdited(target)} />
              ))}
            </EntryList>
          )
        }
      </QueryResult>
      <TablesOnlyConnectors consequence="which cannot be queried here" />
    </Dialog>
  )
}

function TargetEntry({ target, onEdit }: { target: QueryTarget; onEdit: () => void }) {
  const { ConnectorId, Name, Login } = target
  const remove = useRemoveLogin(ConnectorId)
  const check = useCheckLogin(ConnectorId)
  return (
    <EntryListItem
      title={Name}
      detail={<LoginState login={Login} />}
      action={
        <span className={css.actions}>
          <EntryButton onClick={onEdit}>{Login === null ? 'Add a login' : 'Replace'}</EntryButton>
          {Login === null ? null : (
            <>
              <EntryButton loading={check.isPending} aria-label={`Test ${Name}`} onClick={() => check.mutate()}>
                Test
              </EntryButton>
              <EntryButton loading={remove.isPending} aria-label={`Remove ${Name}`} onClick={() => remove.mutate()}>
                Remove
              </EntryButton>
            </>
          )}
        </span>
      }
    >
      <MutationError of={[remove, check]} />
      {check.data === undefined ? null : <Proof proof={check.data} passed="The login cannot write." />}
    </EntryListItem>
  )
}

function LoginState({ login }: { login: QueryTarget['Login'] }) {
  if (login === null) return 'Off: there is no login for reading'
  if (!login.IsForTarget) return 'Off: the address of the target has changed. Store the login again.'
  return (
    <>
      {`Open under ${login.User}, stored `}
      <RelativeTime at={login.SavedAtUtc} />
    </>
  )
}

function LoginDialog({ target, onClose }: { target: QueryTarget; onClose: () => void }) {
  const form = useForm({ user: '', password: '' })
  const save = useSaveLogin(target.ConnectorId, onClose)
  function submit() {
    if (form.validate())
      save.mutate({ user: String(form.values['user']).trim(), password: String(form.values['password']) })
  }
  return (
    <MutationDialog
      kind="drawer"
      title={`Login for reading: ${target.Name}`}
      isDirty={form.isDirty}
      mutation={save}
      onClose={onClose}
      onSubmit={submit}
      submitLabel="Test and save"
    >
      <p>
        Run this in the database with a password of your choice. Then enter the login: Tributary stores it only if the
        database proves that it cannot write.
      </p>
      <div className={css.instructions}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls sideways, also by keyboard */}
        <pre tabIndex={0}>{target.Instructions}</pre>
        <CopyButton text={target.Instructions} what="SQL" />
      </div>
      <TextField field={form.bind('user')} label="User" placeholder="tributary_reader" isRequired hasFocus />
      <PasswordField field={form.bind('password')} label="Password" autoComplete="new-password" isRequired />
      {save.data === undefined || save.data.IsSaved ? null : <Proof proof={save.data} passed="" />}
    </MutationDialog>
  )
}

function Proof({ proof: { Checks }, passed }: { proof: ReadingLoginProof; passed: string }) {
  const failed = Checks.filter(({ Outcome }) => Outcome === 'failed')
  if (failed.length === 0) return <Callout tone="ok" title={passed} />
  return failed.map(({ Name, Notice }) => (
    <Callout key={Name} tone="error" isAlert title={`Failed: ${Name}`}>
      <p>{Notice}</p>
    </Callout>
  ))
}
