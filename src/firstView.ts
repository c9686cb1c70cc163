/**
 * What is loaded after activation, on first use: all that the sidebar needs for its first view, and what every other feature
 * needs, too. Files of their own: one for everything takes three times as long to activate, and the rest of what is loaded
 * later (`lazy.ts`) would delay the first view by the time that compiling it takes. A module that activation needs as well
 * exists twice at run time, and must have no state.
 */
export { parseArguments } from './platform/commandArguments.ts';
export { createStored } from './platform/createStored.ts';
export { openService } from './platform/openService.ts';
export { showError } from './presentation/showError.ts';
export { Sidebar } from './sidebar/sidebar.ts';
