From Coq Require Import Extraction ExtrOcamlBasic.
From TorusSM Require Import Fabric Routes.
Extraction "checker.ml" check check_routes.
