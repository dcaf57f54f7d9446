/** Which step of the wizard is open, and for what, in the address: a reload and the way back find it. */
import { useAddress, useChangeAddress } from '../../ui/hooks/search-params.ts'

export const steps = ['area', 'areaFlipped', 'version'] as const
export type Step = (typeof steps)[number]

/** 'new', a group's id, or 'copy-' and the id of the group that is duplicated. */
export const newGroup = 'new'
export const copyOf = (groupId: string) => `copy-${groupId}`

export function useWizardAddress() {
  const params = useAddress()
  const changeAddress = useChangeAddress()
  const wanted = params.get('step')
  return {
    of: params.get('group'),
    step: steps.find((step) => step === wanted) ?? 'area',
    open(of: string, step: Step = 'area') {
      changeAddress(() => new URLSearchParams({ group: of, step }))
    },
    /** Back to the list. */
    close() {
      changeAddress(() => new URLSearchParams())
    },
  }
}
