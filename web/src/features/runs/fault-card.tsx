/** Explains a fault: what happened, whether the data is correct, who must act, and the action. */
import type { FaultCard as Card, RunDetail } from '@tributary/contract/runs'
import { IconUser } from '@tabler/icons-react'
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react/visitor-icons'
import { formatTimesIn } from '../../domain/time/relative-time.tsx'
import css from './fault-card.module.css'
import { FaultAction, type FaultActionProps } from './fault-action.tsx'

const faultTones = {
  FAILED: 'error',
  WAITING: 'warn',
  QUEUED: 'info',
  RUNNING: 'info',
  COMPLETED: 'warn',
  CANCELLED: 'info',
} as const
const dataIcons = { right: IconCircleCheck, partly: IconAlertTriangle, missing: IconCircleDashed } satisfies Record<
  Card['Data'],
  unknown
>

export function FaultCard({ card: given, ...action }: { card: Card; run: RunDetail } & Omit<FaultActionProps, 'card'>) {
  const card = onOwnClock(given)
  const DataIcon = dataIcons[card.Data]
  return (
    <section className={css.card} data-tone={faultTones[action.run.Status]} aria-labelledby="run-fault">
      <h3 id="run-fault" className={css.title}>
        {card.Title}
      </h3>
      <p>{card.What}</p>
      <dl className={css.facts}>
        <div>
          <dt>
            <DataIcon stroke={1.75} />
            The data
          </dt>
          <dd>{card.DataNotice}</dd>
        </div>
        <div>
          <dt>
            <IconUser stroke={1.75} />
            Who acts
          </dt>
          <dd>{card.Who}</dd>
        </div>
      </dl>
      <FaultAction card={card} {...action} />
      {action.run.FaultCode === null ? null : <code className={css.code}>{action.run.FaultCode}</code>}
    </section>
  )
}

/** The card with its times on the person's clock. */
function onOwnClock({ Title, What, DataNotice, Action, ...card }: Card): Card {
  return {
    ...card,
    Title: formatTimesIn(Title),
    What: formatTimesIn(What),
    DataNotice: formatTimesIn(DataNotice),
    Action: { ...Action, Label: formatTimesIn(Action.Label) },
  }
}
