import type { AccountingToken } from '@tributary/contract/accounting'
import { IconPlugOff } from '@tabler/icons-react'
import { IconCircleCheck } from '@tabler/icons-react/visitor-icons'
import { Panel } from '../../ui/layout/panel.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import css from './tokens.module.css'

const appLabels = {
  provider: 'Tributary’s app',
  own: 'The organisation’s own app',
  machine: 'Custom connection',
} as const

interface TokenListProps {
  tokens: readonly AccountingToken[]
  chosenId: string | null
  onChoose: (tokenId: string) => void
}

export function TokenList({ tokens, chosenId, onChoose }: TokenListProps) {
  return (
    <Panel title="Tokens">
      <ul className={css.list}>
        {tokens.map((token) => (
          <li key={token.id}>
            <button
              type="button"
              className={css.choice}
              aria-current={token.id === chosenId || undefined}
              onClick={() => onChoose(token.id)}
            >
              <span className={css.name}>{token.email === '' ? token.name : token.email}</span>
              <span className={css.id}>{token.xero_userid}</span>
              <TokenStatus token={token} />
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function TokenStatus({ token: { Status, App, DiesAtUtc } }: { token: AccountingToken }) {
  if (Status === 'DEAD')
    return (
      <span className={css.standing}>
        <StatusBadge label="Dead" tone="error" icon={IconPlugOff} /> A user must authorise again.
      </span>
    )
  return (
    <span className={css.standing}>
      <StatusBadge label="Active" tone="ok" icon={IconCircleCheck} /> {appLabels[App]}
      {DiesAtUtc === null ? null : (
        <span>
          Valid until <RelativeTime at={DiesAtUtc} />, renewed automatically
        </span>
      )}
    </span>
  )
}
