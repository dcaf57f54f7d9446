/** Sends a verification code by e-mail again, after a delay, because the first one may only be slow. */
import { resendAfterMs } from '@tributary/contract/limits'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { messageOf } from '@tributary/client/call-error'
import { now } from '@tributary/client/server-clock'
import { useMutation } from '../../api/use-mutation.ts'
import { useNow } from '../time/use-now.ts'
import { TextButton } from './auth-page.tsx'

/** `wasSent`: the server has sent a code already. */
export function ResendCode({ reference, wasSent }: { reference: string; wasSent: boolean }) {
  const [sentAt, setSentAt] = useState(() => (wasSent ? now() : 0))
  const resend = useMutation({
    mutationFn: () => call('POST /verify/resend', { body: { reference } }),
    onSuccess: () => setSentAt(now()),
  })
  return (
    <div className="small subtle">
      <output>
        {resend.isError ? messageOf(resend.error) : null}
        {resend.isSuccess ? `A new code went to ${resend.data.verificationSentTo}.` : null}
      </output>
      <ResendButton
        sentAt={sentAt}
        isBusy={resend.isPending}
        label={sentAt === 0 ? 'Send a code' : 'Send a new code'}
        onSend={() => resend.mutate()}
      />
    </div>
  )
}

interface ResendButtonProps {
  /** When the last e-mail was sent, in ms since 1970. */
  sentAt: number
  isBusy: boolean
  label: string
  onSend: () => void
}

/** A button that appears one minute after the last e-mail, with a countdown until then. */
export function ResendButton({ sentAt, isBusy, label, onSend }: ResendButtonProps) {
  const seconds = Math.ceil((sentAt + resendAfterMs - useNow(1_000)) / 1_000)
  if (seconds > 0) return <p className="num">Nothing arrived? You can ask again in {seconds} s.</p>
  return (
    <TextButton disabled={isBusy} onClick={onSend}>
      {label}
    </TextButton>
  )
}
