/** The share of runs that an organisation has unless the provider chooses another; the view `unclaimed_run` applies it. */
export const defaultRunShare = { runsMax: 2, weight: 1 } as const
