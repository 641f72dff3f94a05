import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { panelErrorAnswer } from '../errors/panel-error-answer.js';

/** Declares the error responses of a route. All have the same body. */
export function ApiErrors(...statuses: number[]): MethodDecorator {
  return applyDecorators(...[...new Set(statuses)].sort().map((status) => ApiResponse(panelErrorAnswer(status))));
}
