import { Button } from '@mantine/core'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { DescriptionList } from '../../ui/layout/panel.tsx'

/** Shows the signing secret of a new webhook, once. */
export function WebhookSecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog
      kind="modal"
      title="The secret of the webhook"
      onClose={onClose}
      footer={<Button onClick={onClose}>I have copied it</Button>}
    >
      <p>
        Everything is saved. Messages to the webhook are signed with this secret (HMAC-SHA256, in the header{' '}
        <code>tributary-signature</code>), so that the receiver can verify that Tributary sent them.
      </p>
      <DescriptionList items={[{ label: 'Secret', value: secret, isCode: true }]} />
      <Callout tone="warn">Copy it now: it is shown this once. A new address gets a new secret.</Callout>
    </Dialog>
  )
}
