/** Sending the code of a verification by e-mail once more; not at once, for the first one may just be slow. */
import { resendAfterMs } from '@tributary/contract/limits'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { messageOf } from '@tributary/client/call-error'
import { now } from '@tributary/client/server-clock'
import { useMutation } from '../../api/use-mutation.ts'
import css from './auth-page.module.css'
import { useTick } from '../time/relative-time.tsx'

/** `wasSent`: a code is on its way already. */
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
      <SendAgain
        sentAt={sentAt}
        isBusy={resend.isPending}
        label={sentAt === 0 ? 'Send a code' : 'Send a new code'}
        onSend={() => resend.mutate()}
      />
    </div>
  )
}

interface SendAgainProps {
  /** In ms since 1970. */
  sentAt: number
  isBusy: boolean
  label: string
  onSend: () => void
}

/** A button that comes a minute after the last sending, and says how long it still takes. */
export function SendAgain({ sentAt, isBusy, label, onSend }: SendAgainProps) {
  const seconds = Math.ceil((sentAt + resendAfterMs - useTick(1_000)) / 1_000)
  if (seconds > 0) return <p className="num">Nothing arrived? You can ask again in {seconds} s.</p>
  return (
    <button type="button" className={css.textButton} disabled={isBusy} onClick={onSend}>
      {label}
    </button>
  )
}
