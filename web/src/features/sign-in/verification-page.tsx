/** The second step of a sign-in: a code from the mail or the app, a passkey, or a recovery code. */
import { Button, Checkbox } from '@mantine/core'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import type { VerificationMethod } from '@tributary/contract/sign-in'
import { useEffect, useState } from 'react'
import { Link, Navigate, useLocation } from 'react-router'
import { call } from '../../api/call.ts'
import { endSession, useIdentity } from '../../api/session/session.ts'
import { supportsPasskeys } from '../../api/session/passkeys.ts'
import { paths, returnPath } from '../../paths.ts'
import { useAddress } from '../../ui/hooks/search-params.ts'
import { AuthForm } from '../../domain/sign-in/auth-form.tsx'
import { AuthFrame } from '../../domain/sign-in/auth-page.tsx'
import frame from '../../domain/sign-in/auth-page.module.css'
import { CodeField } from '../../domain/sign-in/verification-code-field.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { ResendCode } from '../../domain/sign-in/resend-code.tsx'
import { methodWords } from './verification-methods.ts'
import type { CodeAsked } from './use-sign-in.ts'
import { useVerification } from './use-verification.ts'

export function ConfirmPage() {
  const identity = useIdentity()
  const params = useAddress()
  const reference = params.get('reference') ?? ''
  if (reference === '') return <LoggedOut />
  if (identity !== null) return <Navigate to={returnPath(params.get('returnUrl'))} replace />
  return <CodeScreen reference={reference} />
}

/** Without a reference nothing can be confirmed: whoever comes here so starts from the beginning. */
function LoggedOut() {
  useEffect(() => {
    void call('POST /auth/signout').catch(() => undefined)
    endSession()
  }, [])
  return <Navigate to="/" replace />
}

/** All that there may be, for somebody who came here by the address alone. */
const everything: CodeAsked = { methods: ['email', 'totp', 'passkey', 'recovery'], sentTo: null }

function CodeScreen({ reference }: { reference: string }) {
  const asked = (useLocation().state as CodeAsked | null) ?? everything
  const methods = asked.methods.filter((method) => method !== 'passkey' || supportsPasskeys())
  const [method, setMethod] = useState<VerificationMethod>(asked.sentTo === null ? (methods[0] ?? 'email') : 'email')
  const [isTrusted, setTrusted] = useState(false)
  const verification = useVerification(reference, isTrusted)
  const words = methodWords[method]

  return (
    <AuthFrame title={words.title}>
      <p className="muted">{words.text(asked.sentTo)}</p>
      <ErrorBanner message={verification.error} onDismiss={verification.dismissError} action={verification.advice} />
      <MethodForm key={method} method={method} verification={verification}>
        <Checkbox
          name="trust"
          label="Trust this device"
          description="No code is asked for during 30 days on this browser. Only on a computer of your own."
          checked={isTrusted}
          onChange={(event) => setTrusted(event.currentTarget.checked)}
        />
      </MethodForm>
      {method === 'email' ? <ResendCode reference={reference} wasSent={asked.sentTo !== null} /> : null}
      <OtherMethods methods={methods.filter((other) => other !== method)} onChoose={setMethod} />
      <p className={frame.after}>
        <Link to={paths.signIn}>Back to sign in</Link>
      </p>
    </AuthFrame>
  )
}

interface MethodFormProps {
  method: VerificationMethod
  verification: ReturnType<typeof useVerification>
  children: React.ReactNode
}

function MethodForm({ method, verification: { isBusy, confirm, confirmByPasskey }, children }: MethodFormProps) {
  const form = useForm({ code: '' }, {})
  const field = form.text('code')
  const submit = () => (method === 'passkey' ? void confirmByPasskey() : form.validate() && void confirm(field.value))

  return (
    <AuthForm onSubmit={submit}>
      {method === 'email' || method === 'totp' ? (
        // Sent when the form is: whoever types the last digit may still want to tick the box below.
        <CodeField label="Verification code" value={field.value} error={field.error} onChange={field.onChange} />
      ) : null}
      {method === 'recovery' ? (
        <TextField field={field} label="Recovery code" placeholder="xxxxx-xxxxx" hasFocus isRequired />
      ) : null}
      {children}
      <Button type="submit" size="md" fullWidth loading={isBusy}>
        {method === 'passkey' ? 'Use my passkey' : 'Confirm'}
      </Button>
    </AuthForm>
  )
}

interface OtherMethodsProps {
  methods: readonly VerificationMethod[]
  onChoose: (method: VerificationMethod) => void
}

function OtherMethods({ methods, onChoose }: OtherMethodsProps) {
  if (methods.length === 0) return null
  return (
    <div className={frame.others}>
      <p className="small subtle">Another way</p>
      {methods.map((method) => (
        <Button key={method} variant="default" fullWidth onClick={() => onChoose(method)}>
          {methodWords[method].choose}
        </Button>
      ))}
    </div>
  )
}
