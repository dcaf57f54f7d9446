import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AssistantPolicy, AssistantSource } from '@tributary/contract/assistants'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { callQuery } from '../../api/call-query.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'
import css from '../../domain/admin/admin.module.css'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { CopyButton } from '../../ui/display/copy-button.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { ConfirmTermsDialog } from './confirm-terms-dialog.tsx'

function assistantPolicy(clientId: string) {
  return callQuery(['assistants', clientId], 'GET /tributary/clients/:clientId/assistants', { params: { clientId } })
}

/** Whether assistants may read the organisation's data, and of which sources. */
export function AssistantsPage() {
  const policy = useQuery(assistantPolicy(useOrganisationId()))
  return (
    <Page kind="form">
      <Panel title="Assistants">
        <QueryResult query={policy} loading={<SkeletonLines count={2} height={44} />}>
          {(current) => <PolicySwitch policy={current} />}
        </QueryResult>
      </Panel>
      <Panel
        title="Sources that assistants may read"
        aside={<span className="small subtle">They apply while assistants are on.</span>}
      >
        <QueryResult query={policy} loading={<SkeletonLines count={6} height={44} />}>
          {({ Sources }) => <SourceSwitches sources={Sources} />}
        </QueryResult>
      </Panel>
    </Page>
  )
}

function PolicySwitch({ policy }: { policy: AssistantPolicy }) {
  const clientId = useOrganisationId()
  const invalidate = useInvalidate()
  const save = useMutation({
    mutationFn: (allowed: boolean) =>
      call('PUT /tributary/clients/:clientId/assistants', { params: { clientId }, body: { allowed } }),
    onSuccess: () => invalidate(assistantPolicy(clientId)),
  })
  const address = `${window.location.origin}/mcp`
  return (
    <>
      <MutationError of={save} />
      <Switch
        label="Assistants may read for the people of this organisation"
        description="An assistant, such as Claude or ChatGPT, reads with the rights of the person who connects it, and only reads. Its maker receives what it reads. Each call is in the audit log."
        checked={policy.Allowed}
        disabled={save.isPending}
        onChange={(event) => save.mutate(event.currentTarget.checked)}
      />
      {policy.AllowedByProvider ? null : (
        <Callout tone="warn">The provider has not switched assistants on. Until then none can connect.</Callout>
      )}
      {policy.Allowed && policy.AllowedByProvider ? (
        <p>
          People connect their assistants at <code>{address}</code> <CopyButton text={address} what="address" />
        </p>
      ) : null}
    </>
  )
}

function SourceSwitches({ sources }: { sources: readonly AssistantSource[] }) {
  const clientId = useOrganisationId()
  const invalidate = useInvalidate()
  const [confirming, setConfirming] = useState<AssistantSource | null>(null)
  const save = useMutation({
    mutationFn: ({ source, allowed }: { source: AssistantSource; allowed: boolean }) =>
      call('PUT /tributary/clients/:clientId/assistants/sources/:sourceType', {
        params: { clientId, sourceType: source.Type },
        body: { allowed, acceptedTerms: allowed && source.Terms !== null ? source.Terms.Name : null },
      }),
    onSuccess: async () => {
      await invalidate(assistantPolicy(clientId))
      setConfirming(null)
    },
  })
  return (
    <>
      {confirming === null ? <MutationError of={save} /> : null}
      <ul className={css.settings}>
        {sources.map((source) => (
          <SourceRow
            key={source.Type}
            source={source}
            isDisabled={save.isPending}
            onChange={(allowed) => {
              if (!allowed || source.Terms === null) return save.mutate({ source, allowed })
              save.reset()
              setConfirming(source)
            }}
          />
        ))}
      </ul>
      {confirming?.Terms == null ? null : (
        <ConfirmTermsDialog
          title={confirming.Title}
          terms={confirming.Terms}
          mutation={save}
          onConfirm={() => save.mutate({ source: confirming, allowed: true })}
          onClose={() => setConfirming(null)}
        />
      )}
    </>
  )
}

interface SourceRowProps {
  source: AssistantSource
  isDisabled: boolean
  onChange: (allowed: boolean) => void
}

function SourceRow({ source, isDisabled, onChange }: SourceRowProps) {
  const { Title, Allowed, Terms, ChangedAtUtc, ChangedBy } = source
  return (
    <li className={css.setting}>
      <Switch
        label={Title}
        description={
          Terms === null
            ? undefined
            : `${Allowed ? 'An administrator confirmed' : 'Off because of'} the ${Terms.Name}. ${Terms.Restriction}`
        }
        checked={Allowed}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {ChangedAtUtc === null ? null : (
        <span className="small subtle">
          Changed <RelativeTime at={ChangedAtUtc} />
          {ChangedBy === null ? null : ` by ${ChangedBy}`}
        </span>
      )}
    </li>
  )
}
