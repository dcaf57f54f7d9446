/** What a sign-up or an invitation still requires. */
import { useQuery } from '@tanstack/react-query'
import { pollMs } from '@tributary/contract/limits'
import type { Finalisation } from '@tributary/contract/sign-up'
import { useEffect, useEffectEvent, useState } from 'react'
import { Link, Navigate } from 'react-router'
import { call } from '../../api/call.ts'
import { paths, type SignInState } from '../../paths.ts'
import { useUrlParams } from '../../ui/hooks/search-params.ts'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { AwaitingApproval } from './awaiting-approval.tsx'
import { ChoosePasswordForm, JoinOrganisationForm, LinkAccountForm, NameOrganisationForm } from './finalise-forms.tsx'
import { useFinalise } from './use-finalise.ts'
import { signUpErrorMessage } from './use-sign-up.ts'
import { AuthFooter, AuthPage, AuthWaiting, BackToSignIn } from '../../domain/sign-in/auth-page.tsx'

const finalisationQuery = (code: string) => ({
  queryKey: ['finalisation', code],
  queryFn: () => call('GET /registration/finalise', { query: { code } }),
  retry: false,
})

export function FinalisePage() {
  const params = useUrlParams()
  const code = params.get('code') ?? ''
  const { data, error } = useQuery({
    ...finalisationQuery(code),
    enabled: code !== '',
    refetchInterval: ({ state }) =>
      state.data?.ApprovalStatus === 'PENDING' && !state.data.Finalised ? pollMs : false,
  })
  if (code === '') return <Navigate to={paths.signUp} replace />
  if (data !== undefined) return <FinaliseStep key={code} code={code} data={data} />
  return (
    <AuthPage title="Finish signing up">
      {error === null ? (
        <AuthWaiting>Looking at your sign-up…</AuthWaiting>
      ) : (
        <FinaliseError message={signUpErrorMessage(error)} />
      )}
    </AuthPage>
  )
}

function FinaliseStep({ code, data }: { code: string; data: Finalisation }) {
  const [wasJustSent, setJustSent] = useState(false)
  const [isNameRefused, setNameRefused] = useState(false)
  const finalise = useFinalise(code, finalisationQuery(code).queryKey, setJustSent)
  if (data.Finalised)
    return <Navigate to={welcomePath(data)} state={{ emailAddress: data.EmailAddress } satisfies SignInState} replace />
  if (data.ApprovalStatus === 'REJECTED') return <RequestRejected companyName={data.CompanyName} />
  if (data.ApprovalId !== null) return <AwaitingApproval data={data} wasJustSent={wasJustSent} />

  const Form = selectForm(data)
  // The name was entered with the sign-up, so it is asked for again only if it cannot be used.
  if (Form.Fields === NameOrganisationForm && data.CompanyName !== '' && !isNameRefused)
    return (
      <OrganisationNameSender
        companyName={data.CompanyName}
        send={(companyName) =>
          finalise.mutate({ organisation: { companyName } }, { onError: () => setNameRefused(true) })
        }
      />
    )
  return (
    <AuthPage title={Form.title}>
      <ErrorBanner message={finalise.error && signUpErrorMessage(finalise.error)} onDismiss={finalise.reset} />
      <Form.Fields data={data} finalise={finalise} />
      <BackToSignIn />
    </AuthPage>
  )
}

interface OrganisationNameSenderProps {
  companyName: string
  send: (companyName: string) => void
}

/** Sends the name of the organisation once. */
function OrganisationNameSender({ companyName, send }: OrganisationNameSenderProps) {
  const sendOnce = useEffectEvent(() => send(companyName))
  useEffect(() => sendOnce(), [])
  return (
    <AuthPage title="Finish signing up">
      <AuthWaiting>{`Sending your request for ${companyName}…`}</AuthWaiting>
    </AuthPage>
  )
}

function selectForm(data: Finalisation) {
  if (data.ChoosePassword)
    return { title: data.Invited ? 'Accept the invitation' : 'Choose a password', Fields: ChoosePasswordForm }
  if (data.LinkAccount) return { title: 'Sign in to link your account', Fields: LinkAccountForm }
  if (data.LinkOrganisation) return { title: `Join ${data.CompanyName}?`, Fields: JoinOrganisationForm }
  return { title: 'Name your organisation', Fields: NameOrganisationForm }
}

function welcomePath({ Provider, FirstName }: Finalisation): string {
  return `${paths.signIn}?${new URLSearchParams({ registration: 'success', provider: Provider, name: FirstName })}`
}

function RequestRejected({ companyName }: { companyName: string }) {
  return (
    <AuthPage title="Your request was not approved">
      <p className="muted">
        Your request to join {companyName} was rejected. Ask its administrator if you think this is a mistake.
      </p>
      <AuthFooter>
        <Link to={paths.signUp}>Sign up with another organisation name</Link>
      </AuthFooter>
    </AuthPage>
  )
}

function FinaliseError({ message }: { message: string }) {
  return (
    <>
      <Callout tone="error" isAlert>
        <p>{message}</p>
      </Callout>
      <BackToSignIn>
        <Link to={paths.signUp}>Sign up again</Link>
        {' · '}
      </BackToSignIn>
    </>
  )
}
