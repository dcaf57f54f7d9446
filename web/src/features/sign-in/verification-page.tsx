/** Second factor of a sign-in: a code by email or app, a passkey, or a recovery code. */
import { Button, Checkbox } from '@mantine/core'
import type { VerificationMethod } from '@tributary/contract/sign-in'
import { useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { call } from '../../api/call.ts'
import { endSession, useIdentity, storeSession } from '../../api/session/session.ts'
import { supportsPasskeys, requestPasskey } from '../../api/session/passkeys.ts'
import { returnPath } from '../../paths.ts'
import { useUrlParams } from '../../ui/hooks/search-params.ts'
import frame from '../../domain/sign-in/auth-page.module.css'
import { VerificationCodeField } from '../../domain/sign-in/verification-code-field.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { ResendCode } from '../../domain/sign-in/resend-code.tsx'
import type { VerificationRequest } from './use-sign-in.ts'
import { AuthForm, AuthPage, BackToSignIn } from '../../domain/sign-in/auth-page.tsx'
import { CallError } from '@tributary/client/call-error'
import { useMutation } from '../../api/use-mutation.ts'

export function VerificationPage() {
  const identity = useIdentity()
  const params = useUrlParams()
  const reference = params.get('reference') ?? ''
  if (reference === '') return <SignOutAndRedirect />
  if (identity !== null) return <Navigate to={returnPath(params.get('returnUrl'))} replace />
  return <VerificationScreen reference={reference} />
}

/** Without a reference there is nothing to confirm: signs out and returns to the start. */
function SignOutAndRedirect() {
  useEffect(() => {
    void call('POST /auth/signout').catch(() => undefined)
    endSession()
  }, [])
  return <Navigate to="/" replace />
}

/** All methods, if the page was opened by its URL without navigation state. */
const allMethods: VerificationRequest = { methods: ['email', 'totp', 'passkey', 'recovery'], sentTo: null }

function VerificationScreen({ reference }: { reference: string }) {
  const request = (useLocation().state as VerificationRequest | null) ?? allMethods
  const methods = request.methods.filter((method) => method !== 'passkey' || supportsPasskeys())
  const [method, setMethod] = useState<VerificationMethod>(request.sentTo === null ? (methods[0] ?? 'email') : 'email')
  const [isTrusted, setTrusted] = useState(false)
  const verification = useVerification(reference, isTrusted)
  const texts = verificationMethodTexts[method]

  return (
    <AuthPage title={texts.title}>
      <p className="muted">{texts.text(request.sentTo)}</p>
      <ErrorBanner message={verification.error} onDismiss={verification.dismissError} action={verification.advice} />
      <VerificationMethodForm key={method} method={method} verification={verification}>
        <Checkbox
          name="trust"
          label="Trust this device"
          description="No code is required for 30 days in this browser. Use it only on your own computer."
          checked={isTrusted}
          onChange={(event) => setTrusted(event.currentTarget.checked)}
        />
      </VerificationMethodForm>
      {method === 'email' ? <ResendCode reference={reference} wasSent={request.sentTo !== null} /> : null}
      <OtherVerificationMethods methods={methods.filter((other) => other !== method)} onChoose={setMethod} />
      <BackToSignIn />
    </AuthPage>
  )
}

interface VerificationMethodFormProps {
  method: VerificationMethod
  verification: ReturnType<typeof useVerification>
  children: React.ReactNode
}

function VerificationMethodForm({ method, verification: { isBusy, confirm }, children }: VerificationMethodFormProps) {
  const form = useForm({ code: '' })
  const field = form.bind('code')
  const submit = () => (method === 'passkey' ? confirm(null) : form.validate() && confirm(field.value))

  return (
    <AuthForm onSubmit={submit} submitLabel={method === 'passkey' ? 'Use my passkey' : 'Confirm'} isBusy={isBusy}>
      {method === 'email' || method === 'totp' ? (
        // Not submitted at the last digit, because the user may still want to tick the box below.
        <VerificationCodeField field={field} />
      ) : null}
      {method === 'recovery' ? (
        <TextField field={field} label="Recovery code" placeholder="xxxxx-xxxxx" hasFocus isRequired />
      ) : null}
      {children}
    </AuthForm>
  )
}

interface OtherVerificationMethodsProps {
  methods: readonly VerificationMethod[]
  onChoose: (method: VerificationMethod) => void
}

function OtherVerificationMethods({ methods, onChoose }: OtherVerificationMethodsProps) {
  if (methods.length === 0) return null
  return (
    <div className={frame.others}>
      <p className="small subtle">Another way</p>
      {methods.map((method) => (
        <Button key={method} variant="default" fullWidth onClick={() => onChoose(method)}>
          {verificationMethodTexts[method].choose}
        </Button>
      ))}
    </div>
  )
}

interface VerificationMethodTexts {
  readonly title: string
  readonly choose: string
  readonly text: (sentTo: string | null) => string
}

const verificationMethodTexts: Readonly<Record<VerificationMethod, VerificationMethodTexts>> = {
  email: {
    title: 'Check your e-mail',
    choose: 'Use a code sent by e-mail',
    text: (sentTo) =>
      sentTo === null
        ? 'Let us send a code to your e-mail address, then enter its six digits here.'
        : `We sent a code to ${sentTo}. Enter its six digits here; it works for ten minutes.`,
  },
  totp: {
    title: 'Open your authenticator app',
    choose: 'Use the authenticator app',
    text: () => 'Enter the six digits that the app shows for Tributary now.',
  },
  passkey: {
    title: 'Use your passkey',
    choose: 'Use a passkey',
    text: () => 'Your browser asks for your fingerprint, face, PIN or security key.',
  },
  recovery: {
    title: 'Use a recovery code',
    choose: 'Use a recovery code',
    text: () => 'Enter one of the codes that you kept. Each works once.',
  },
}

/** Confirms a sign-in. Stores the session, after which the page redirects. */
function useVerification(verificationReference: string, verificationTrustDevice: boolean) {
  const verification = useMutation({
    /** @param code null to use a passkey. */
    mutationFn: async (code: string | null) => {
      const factor = code === null ? await askForPasskey(verificationReference) : { verificationCode: code.trim() }
      if (factor === null) return
      const reply = await call('POST /auth/signin', {
        body: { verificationReference, verificationTrustDevice, ...factor },
      })
      if (!('accessToken' in reply) || !reply.accessToken) throw new CallError({ statusCode: 401 })
      storeSession(reply)
    },
  })
  const { error } = verification
  const statusCode = error instanceof CallError ? error.statusCode : undefined
  const message = statusCode === 401 ? 'Verification failed.' : 'An unkown error has occured.'
  return {
    isBusy: verification.isPending,
    error: error && message,
    /** The server's message about when to retry. */
    advice: statusCode === 429 ? error?.message : undefined,
    dismissError: verification.reset,
    confirm: verification.mutate,
  }
}

/** Null if the user cancels. */
async function askForPasskey(verificationReference: string) {
  const { options } = await call('POST /auth/passkey', { body: { verificationReference } })
  const passkey = await requestPasskey(options)
  return passkey && { passkey }
}
