import type { BoundTextField } from '../../ui/forms/use-form.ts'
import { ResendCode } from './resend-code.tsx'
import { VerificationCodeField } from './verification-code-field.tsx'

interface VerificationCodeChallengeProps {
  reference: string
  /** Null if the code is shown by an authenticator app. */
  sentTo: string | null
  field: BoundTextField
  onComplete: (code: string) => void
}

/** Asks for the code of an authenticator app or of an email, in a dialog. */
export function VerificationCodeChallenge({ reference, sentTo, ...code }: VerificationCodeChallengeProps) {
  return (
    <>
      <p className="muted">
        {sentTo === null
          ? 'Enter the six digits that your authenticator app shows now, or have a code sent by e-mail.'
          : `We sent a code to ${sentTo}. Enter its six digits here.`}
      </p>
      <VerificationCodeField {...code} />
      <ResendCode reference={reference} wasSent={sentTo !== null} />
    </>
  )
}
