import { IconCircleCheck, IconCircleDashed, IconHourglass } from '@tabler/icons-react/visitor-icons'
import type { Finalisation } from '@tributary/contract/sign-up'
import css from './sign-up.module.css'
import { AuthPage, BackToSignIn } from '../../domain/sign-in/auth-page.tsx'

const stepIcons = { done: IconCircleCheck, current: IconHourglass, open: IconCircleDashed }

/** Polls the request, so that an open page shows the decision. */
export function AwaitingApproval({ data, wasJustSent }: { data: Finalisation; wasJustSent: boolean }) {
  const steps = [
    { state: 'done', name: 'Request sent', text: `For ${data.EmailAddress} and ${data.CompanyName}.` },
    { state: 'current', name: 'Being reviewed', text: 'This usually takes less than 24 hours.' },
    { state: 'open', name: 'Ready', text: 'You get a welcome e-mail, and this page takes you to the sign-in.' },
  ] as const
  return (
    <AuthPage title={wasJustSent ? 'Your request was submitted for approval' : 'Your request is awaiting approval'}>
      <p className="muted">
        {data.FirstName === '' ? 'Thank you.' : `Thank you, ${data.FirstName}.`} You get an e-mail within 24 hours. You
        can close this page; nothing is lost.
      </p>
      <ol className={css.steps}>
        {steps.map(({ state, name, text }) => {
          const Icon = stepIcons[state]
          return (
            <li
              key={name}
              className={css.step}
              data-state={state}
              aria-current={state === 'current' ? 'step' : undefined}
            >
              <Icon size={24} stroke={1.75} />
              <span>
                <span className={css.stepName}>{name}</span>
                <br />
                <span className="small subtle">{text}</span>
              </span>
            </li>
          )
        })}
      </ol>
      <BackToSignIn />
    </AuthPage>
  )
}
