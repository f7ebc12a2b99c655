"""Tests of what a work-group does with LDS."""
