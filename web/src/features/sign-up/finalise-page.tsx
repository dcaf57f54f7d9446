/** What a sign-up or an invitation still needs, whichever it is. */
import { useQuery } from '@tanstack/react-query'
import { pollMs } from '@tributary/contract/limits'
import type { Finalisation } from '@tributary/contract/sign-up'
import { useState } from 'react'
import { Link, Navigate } from 'react-router'
import { call } from '../../api/call.ts'
import { paths } from '../../paths.ts'
import { useAddress } from '../../ui/hooks/search-params.ts'
import { AuthFrame } from '../../domain/sign-in/auth-page.tsx'
import frame from '../../domain/sign-in/auth-page.module.css'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { Note } from '../../ui/feedback/callout.tsx'
import { Waiting } from '../../domain/sign-in/auth-waiting.tsx'
import { AwaitingApproval } from './awaiting-approval.tsx'
import { ChoosePassword, JoinOrganisation, LinkAccount, NameOrganisation } from './finalise-forms.tsx'
import { useFinalise } from './use-finalise.ts'
import { signUpSentence } from './use-sign-up.ts'

const finalisation = (code: string) => ({
  queryKey: ['finalisation', code],
  queryFn: () => call('GET /registration/finalise', { query: { code } }),
  retry: false,
})

export function FinalisePage() {
  const params = useAddress()
  const code = params.get('code') ?? ''
  const { data, error } = useQuery({
    ...finalisation(code),
    enabled: code !== '',
    refetchInterval: ({ state }) =>
      state.data?.ApprovalStatus === 'PENDING' && !state.data.Finalised ? pollMs : false,
  })
  if (code === '') return <Navigate to={paths.signUp} replace />
  if (data !== undefined) return <Variant key={code} code={code} data={data} />
  return (
    <AuthFrame title="Finish signing up">
      {error === null ? <Waiting>Looking at your sign-up…</Waiting> : <Spent sentence={signUpSentence(error)} />}
    </AuthFrame>
  )
}

function Variant({ code, data }: { code: string; data: Finalisation }) {
  const [wasJustSent, setJustSent] = useState(false)
  const finalise = useFinalise(code, finalisation(code).queryKey, setJustSent)
  if (data.Finalised) return <Navigate to={welcomePath(data)} replace />
  if (data.ApprovalStatus === 'REJECTED') return <Rejected companyName={data.CompanyName} />
  if (data.ApprovalId !== null) return <AwaitingApproval data={data} wasJustSent={wasJustSent} />

  const Form = formFor(data)
  return (
    <AuthFrame title={Form.title}>
      <ErrorBanner message={finalise.error && signUpSentence(finalise.error)} onDismiss={finalise.reset} />
      <Form.Fields data={data} finalise={finalise} />
      <p className={frame.after}>
        <Link to={paths.signIn}>Back to sign in</Link>
      </p>
    </AuthFrame>
  )
}

function formFor(data: Finalisation) {
  if (data.ChoosePassword)
    return { title: data.Invited ? 'Accept the invitation' : 'Choose a password', Fields: ChoosePassword }
  if (data.LinkAccount) return { title: 'Sign in to link your account', Fields: LinkAccount }
  if (data.LinkOrganisation) return { title: `Join ${data.CompanyName}?`, Fields: JoinOrganisation }
  return { title: 'Name your organisation', Fields: NameOrganisation }
}

function welcomePath({ Provider, FirstName }: Finalisation): string {
  return `${paths.signIn}?${new URLSearchParams({ registration: 'success', provider: Provider, name: FirstName })}`
}

function Rejected({ companyName }: { companyName: string }) {
  return (
    <AuthFrame title="Your request was not approved">
      <p className="muted">Nobody let you into {companyName}. Ask the people there if you think this is a mistake.</p>
      <p className={frame.after}>
        <Link to={paths.signUp}>Sign up with another organisation name</Link>
      </p>
    </AuthFrame>
  )
}

function Spent({ sentence }: { sentence: string }) {
  return (
    <>
      <div role="alert">
        <Note tone="error">
          <p>{sentence}</p>
        </Note>
      </div>
      <p className={frame.after}>
        <Link to={paths.signUp}>Sign up again</Link>
        {' · '}
        <Link to={paths.signIn}>Back to sign in</Link>
      </p>
    </>
  )
}
