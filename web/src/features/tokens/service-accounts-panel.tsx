import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ServiceAccount } from '@tributary/contract/tokens'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useOrganisationId, useWorkspace } from '../../api/session/workspace.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { serviceAccountList, useRefreshTokens } from '../../domain/tokens/token-queries.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { SelectField } from '../../ui/forms/choice-fields.tsx'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { EntryButton, EntryList, EntryListItem } from '../../ui/layout/entry-list.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'

const LazyNewTokenDialog = lazyDialog(() => import('../../domain/tokens/new-token-dialog.tsx'), 'NewTokenDialog')

type OpenDialog = { readonly kind: 'add' } | { readonly kind: 'token' | 'delete'; readonly account: ServiceAccount }

/** Members that cannot sign in and hold tokens that do not depend on a person. */
export function ServiceAccountsPanel() {
  const { organisation } = useWorkspace()
  const clientId = organisation.Id
  const accounts = useQuery(serviceAccountList(clientId))
  const [opened, setOpened] = useState<OpenDialog | null>(null)
  const close = () => setOpened(null)
  return (
    <Panel
      title="Service accounts"
      aside={
        <Button size="xs" onClick={() => setOpened({ kind: 'add' })}>
          Add a service account
        </Button>
      }
    >
      <p className="muted">
        Their tokens do not depend on a person. Assign connectors, groups and tables to them like to a user. They cannot
        sign in.
      </p>
      <QueryResult query={accounts} loading={<SkeletonLines count={2} height={44} />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState kind="first" title="There are no service accounts.">
              Add one for a program that runs without a person, such as a nightly export.
            </EmptyState>
          ) : (
            <ServiceAccountEntries accounts={list} onOpen={setOpened} />
          )
        }
      </QueryResult>
      {opened?.kind === 'add' ? <AddServiceAccountDialog onClose={close} /> : null}
      {opened?.kind === 'delete' ? <DeleteServiceAccountDialog account={opened.account} onClose={close} /> : null}
      {opened?.kind === 'token' ? (
        <LazyNewTokenDialog
          subtitle={`Of ${opened.account.Name}, for ${organisation.CompanyName}`}
          create={(token) =>
            call('POST /tributary/clients/:clientId/service-accounts/:serviceAccountId/access-tokens', {
              params: { clientId, serviceAccountId: opened.account.Id },
              body: token,
            })
          }
          onClose={close}
        />
      ) : null}
    </Panel>
  )
}

function ServiceAccountEntries({
  accounts,
  onOpen,
}: {
  accounts: readonly ServiceAccount[]
  onOpen: (dialog: OpenDialog) => void
}) {
  return (
    <EntryList>
      {accounts.map((account) => (
        <EntryListItem
          key={account.Id}
          title={account.Name}
          detail={`Role ${account.Role === 'admin' ? 'administrator' : 'user'}; ${
            account.ValidTokens === 1 ? '1 valid token' : `${account.ValidTokens} valid tokens`
          }${account.Status === 'active' ? '' : `; ${account.Status}`}`}
          action={
            <Group gap="xs" wrap="nowrap">
              <EntryButton
                aria-label={`New token of ${account.Name}`}
                onClick={() => onOpen({ kind: 'token', account })}
              >
                New token
              </EntryButton>
              <EntryButton aria-label={`Delete ${account.Name}`} onClick={() => onOpen({ kind: 'delete', account })}>
                Delete
              </EntryButton>
            </Group>
          }
        />
      ))}
    </EntryList>
  )
}

const roleChoices = [
  { value: 'user', label: 'User' },
  { value: 'admin', label: 'Administrator' },
]

function AddServiceAccountDialog({ onClose }: { onClose: () => void }) {
  const clientId = useOrganisationId()
  const refresh = useRefreshTokens()
  const form = useForm({ name: '', role: 'user' })
  const add = useMutation({
    mutationFn: () =>
      call('POST /tributary/clients/:clientId/service-accounts', {
        params: { clientId },
        body: { name: String(form.values['name']), role: form.values['role'] === 'admin' ? 'admin' : 'user' },
      }),
    onSuccess: async () => {
      await refresh()
      onClose()
    },
  })
  return (
    <MutationDialog
      title="Add a service account"
      mutation={add}
      isDirty={form.isDirty}
      onClose={onClose}
      onSubmit={() => form.validate() && add.mutate()}
      submitLabel="Add"
    >
      <TextField
        field={form.bind('name')}
        label="Name"
        help="What it is for, such as Nightly export."
        isRequired
        hasFocus
      />
      <SelectField field={form.bind('role')} label="Role" choices={roleChoices} />
    </MutationDialog>
  )
}

function DeleteServiceAccountDialog({ account, onClose }: { account: ServiceAccount; onClose: () => void }) {
  const orgId = useOrganisationId()
  const refresh = useRefreshTokens()
  const remove = useMutation({
    mutationFn: () => call('DELETE /users/:userId', { params: { userId: account.Id }, query: { orgId } }),
    onSuccess: async () => {
      await refresh()
      onClose()
    },
  })
  return (
    <MutationDialog
      title={`Delete ${account.Name}?`}
      mutation={remove}
      onClose={onClose}
      onSubmit={() => remove.mutate()}
      submitLabel="Delete"
      isDanger
      isSubmitFocused
    >
      <p>Its tokens stop working at once, and its assignments are removed. The audit log keeps its name.</p>
    </MutationDialog>
  )
}
