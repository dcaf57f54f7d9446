import { Button } from '@mantine/core'
import { useCopy } from '../../ui/display/copy-button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { downloadFile } from '../../ui/files/download.ts'
import css from './profile.module.css'

/** Shown once, because the server stores only hashes of the codes. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = `${codes.join('\n')}\n`
  const { isCopied, copy } = useCopy(text, 'recovery codes')
  return (
    <Dialog title="Your recovery codes" onClose={onClose} footer={<Button onClick={onClose}>I have kept them</Button>}>
      <p className="muted" data-prints>
        Each signs you in once when everything else is out of reach. They are shown only now: keep them in a safe place.
      </p>
      <ul className={css.codes} data-prints>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={css.buttons}>
        <Button variant="default" onClick={() => void copy()}>
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
        <Button variant="default" onClick={() => downloadFile('tributary-recovery-codes.txt', text)}>
          Download
        </Button>
        <Button variant="default" onClick={() => window.print()}>
          Print
        </Button>
      </div>
    </Dialog>
  )
}
