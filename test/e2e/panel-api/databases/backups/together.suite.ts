import { describeTogether } from '../../../../support/together.js';

describeTogether(__dirname);
