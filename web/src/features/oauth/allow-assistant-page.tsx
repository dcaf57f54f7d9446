import { Button, Group } from '@mantine/core'
import { CallError, messageOf } from '@tributary/client/call-error'
import type { AssistantRequest } from '@tributary/contract/oauth'
import { tokenScopes } from '@tributary/contract/token-scopes'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { call } from '../../api/call.ts'
import { callQuery } from '../../api/call-query.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { QueryPlaceholder } from '../../domain/requests/query-placeholder.tsx'
import { paths } from '../../paths.ts'
import { Callout } from '../../ui/feedback/callout.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { DescriptionList, Panel } from '../../ui/layout/panel.tsx'
import css from './allow-assistant-page.module.css'

/** An assistant has sent the browser here: the person allows it to read as them, or refuses. */
export function AllowAssistantPage() {
  // As the assistant wrote it: the server reads it, and refuses what is given twice.
  const request = useLocation().search.slice(1)
  const query = useQuery({
    ...callQuery(['assistantRequest', request], 'GET /oauth/authorisation', { query: { request } }),
    enabled: request !== '',
  })
  return (
    <Page kind="form">
      {request === '' ? (
        <Unanswerable>Connect an assistant from within it. It then opens this page with its request.</Unanswerable>
      ) : query.error instanceof CallError && query.error.statusCode === 400 ? (
        <Unanswerable>{messageOf(query.error)}</Unanswerable>
      ) : query.data === undefined ? (
        <QueryPlaceholder of={query} />
      ) : (
        <Consent asked={query.data} request={request} />
      )}
    </Page>
  )
}

function Unanswerable({ children }: { children: string }) {
  return (
    <EmptyState
      kind="notAllowed"
      title="There is no request that you could allow."
      action={
        <Button component={Link} to={paths.home} variant="default">
          Go to the home page
        </Button>
      }
    >
      {children}
    </EmptyState>
  )
}

function Consent({ asked, request }: { asked: AssistantRequest; request: string }) {
  const { ClientName, RedirectHost, IsOnOwnComputer, Problem, Organisations } = asked
  const receiver = IsOnOwnComputer ? `a program on this computer (${RedirectHost})` : RedirectHost
  return (
    <Panel title="An assistant asks to read as you">
      <DescriptionList
        items={[
          { label: 'It calls itself', value: ClientName },
          { label: 'It is at', value: receiver },
        ]}
      />
      {Problem === null ? null : (
        <Callout tone="error" title="The request cannot be allowed.">
          <p>{Problem} Nothing was sent to the assistant. Its maker has to correct this.</p>
        </Callout>
      )}
      {Problem === null && Organisations.length === 0 ? (
        <Callout tone="warn" title="None of your organisations allows assistants.">
          <p>
            An administrator switches them on under Admin, Programs, Assistants, and the provider for the whole portal.
          </p>
        </Callout>
      ) : null}
      {Problem === null && Organisations.length > 0 ? (
        <Decision asked={asked} request={request} />
      ) : (
        <Group gap="xs">
          <RefuseLink to={asked.RefusalUrl}>Return to the assistant</RefuseLink>
        </Group>
      )}
    </Panel>
  )
}

function Decision({ asked, request }: { asked: AssistantRequest; request: string }) {
  const { Organisations, Scopes, RefusalUrl } = asked
  const current = useOrganisationId()
  const preferred = Organisations.find(({ Id }) => Id === current) ?? Organisations[0]
  const [organisationId, setOrganisationId] = useState(preferred?.Id ?? '')
  const allow = useMutation({
    mutationFn: () => call('POST /oauth/authorisation', { body: { organisationId, request } }),
    onSuccess: ({ RedirectUrl }) => window.location.assign(RedirectUrl),
  })
  const isLeaving = allow.isPending || allow.isSuccess
  return (
    <>
      <p>
        Allow it only if you have just connected an assistant that is at this address. The name is what the program
        says, and anyone can use it.
      </p>
      <div className={css.scopes}>
        <h3>What it may do</h3>
        <ul>
          {Scopes.map((scope) => (
            <li key={scope}>{tokenScopes[scope]}</li>
          ))}
        </ul>
      </div>
      <RadioGroup
        label="In which organisation"
        choices={Organisations.map(({ Id, Name }) => ({ value: Id, label: Name }))}
        value={organisationId}
        onChange={setOrganisationId}
      />
      <p className="small subtle">
        It reads only what you may read, and its maker receives what it reads. It stays connected for 90 days at most.
        You can end that at any time: <Link to={paths.accessTokens}>Access tokens</Link> lists it.
      </p>
      <MutationError of={allow} />
      <Group gap="xs">
        <Button loading={isLeaving} onClick={() => allow.mutate()}>
          Allow
        </Button>
        {isLeaving ? null : <RefuseLink to={RefusalUrl}>Refuse</RefuseLink>}
      </Group>
    </>
  )
}

/** Leaves the portal: the assistant learns that it was refused. */
function RefuseLink({ to, children }: { to: string; children: string }) {
  return (
    <Button component="a" href={to} rel="noreferrer" variant="default">
      {children}
    </Button>
  )
}
