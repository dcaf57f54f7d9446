import { Button } from '@mantine/core'
import type { CreatedToken } from '@tributary/contract/tokens'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { formatMoment } from '../../ui/formats.ts'
import { DescriptionList } from '../../ui/layout/panel.tsx'

/** Shows a new token once: the server stores only its hash. */
export function TokenSecretDialog({ created, onClose }: { created: CreatedToken; onClose: () => void }) {
  const { Secret, Token } = created
  return (
    <Dialog
      kind="drawer"
      title={Token.Name}
      subtitle={Token.Organisation}
      onClose={onClose}
      footer={<Button onClick={onClose}>I have copied it</Button>}
    >
      <DescriptionList items={[{ label: 'Token', value: Secret, isCode: true }]} />
      <Callout tone="warn">
        Copy it now: it is shown this once. Whoever has it can do what you chose until{' '}
        {formatMoment(Token.ExpiresAtUtc, 'date')}.
      </Callout>
      <p className="small subtle">
        Programs send it as <code>Authorization: Bearer …</code>. Excel and Power BI take it as a password; the user
        name does not matter.
      </p>
    </Dialog>
  )
}
