import type { PublicationSet } from '@tributary/contract/publications'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'
import { useSwitchPublishingOff } from './publication-queries.ts'

export function SwitchOffDialog({ set, onClose }: { readonly set: PublicationSet; readonly onClose: () => void }) {
  const end = useSwitchPublishingOff(useOrganisationId(), set.Id, onClose)
  return (
    <MutationDialog
      title={`Switch publishing off in ${set.Target}?`}
      mutation={end}
      onClose={onClose}
      onSubmit={() => end.mutate()}
      submitLabel="Switch off"
      isDanger
      isSubmitFocused
    >
      <p>
        The published views are removed, and reports that read them fail. History that was kept stays, but grows no
        further unless something else needs it.
      </p>
    </MutationDialog>
  )
}
